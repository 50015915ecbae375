import type { FailureReason } from "../../webhooks/diagnose-signature.ts";
import { inBoth } from "../in-words.ts";

const reasonsFr: Readonly<Record<FailureReason, string>> = {
  nothing: "Rien ne cloche : la signature correspond.",
  missing_header:
    "Un en-tête manque. Il faut webhook-id, webhook-timestamp et webhook-signature, ou l’en-tête hmac-sha256 seul. Un proxy l’a-t-il retiré ?",
  malformed_header:
    "Un en-tête n’a pas la bonne forme : webhook-timestamp est un nombre de secondes, et chaque signature de webhook-signature commence par « v1, ».",
  missing_secret: "La société n’a aucune clé secrète valable. Créez une clé.",
  parsed_body: "Le corps a déjà été analysé. Prenez les octets tels qu’ils sont arrivés.",
  no_match: "Aucune signature ne correspond.",
  too_old:
    "La signature correspond, mais l’envoi date de plus de cinq minutes : votre récepteur le refuserait. Il a été rejoué, il a attendu quelque part, ou une horloge est fausse.",
  too_new:
    "La signature correspond, mais l’envoi est daté de plus de cinq minutes dans l’avenir : une horloge est fausse.",
  not_json: "C’est bien signé, mais ce n’est pas une notification : le corps n’est pas du JSON.",
  reserialised_body:
    "Le corps a été analysé puis réécrit : ses octets ont changé. Prenez le corps brut, avant tout analyseur.",
  changed_whitespace:
    "Des espaces ont changé : un saut de ligne à la fin, une indentation. Prenez le corps brut.",
  changed_encoding:
    "Le corps a été lu dans un autre codage que l’UTF-8. Prenez ses octets tels qu’ils sont arrivés.",
  hex_signature: "La signature est en hexadécimal ; elle doit être en Base64.",
  altered_secret: "La clé secrète n’est pas celle qui a été affichée.",
  token_as_secret:
    "C’est le jeton d’accès (at_…) ; les notifications sont signées avec la clé secrète (sk_…).",
  changed_headers:
    "Le corps et la clé sont justes ; webhook-id, webhook-timestamp ou webhook-signature a été changé en route.",
  wrong_secret:
    "Le corps semble intact, donc la clé secrète est une autre : une ancienne, ou celle d’une autre société ou d’un autre environnement.",
  changed_body: "Le corps n’est pas celui qui a été envoyé, ou la clé secrète est une autre.",
};

const fr = {
  title: "Vérifier une signature",
  what: "Collez ce que votre récepteur a reçu : nous disons si la signature correspond et, sinon, pourquoi. Rien de ce que vous collez n’est gardé.",
  body: "Corps reçu",
  bodyHint: "Brut, sans rien y changer.",
  headers: "En-têtes reçus",
  headersHint: "Une ligne par en-tête : nom: valeur",
  key: "Clé secrète que votre récepteur utilise",
  keyHint: "Elle n’est pas affichée : nous prenons celle que nous gardons.",
  anyKey: "N’importe quelle clé valable",
  check: "Vérifier",
  good: (header: string, topic: string) => `La signature correspond (${header}). Sujet : ${topic}.`,
  signedBy: (key: string) => `Signé avec la clé ${key}.`,
  otherKey: (key: string) =>
    `La signature est celle de la clé ${key}, pas de celle que vous avez choisie.`,
  endedKey: (key: string) =>
    `La signature est celle de la clé ${key}, qui n’est plus valable. Mettez la nouvelle clé secrète dans votre récepteur.`,
  headerProblem: (line: string) => `« ${line} » n’est pas un en-tête. Écrivez nom: valeur.`,
  bodyProblem: "Collez le corps reçu.",
  keyProblem: "Choisissez une clé de la liste.",
  reason: "Code",
  reasons: reasonsFr,
  library: "Le SDK et la commande « cauri verify-signature » cherchent de la même façon.",
};

const en: typeof fr = {
  title: "Check a signature",
  what: "Paste what your receiver has got: we say whether the signature matches and, if not, why. Nothing that you paste is kept.",
  body: "Body received",
  bodyHint: "Raw, with nothing changed in it.",
  headers: "Headers received",
  headersHint: "One line for each header: name: value",
  key: "Secret key that your receiver uses",
  keyHint: "It is not shown: we take the one that we keep.",
  anyKey: "Any good key",
  check: "Check",
  good: (header: string, topic: string) => `The signature matches (${header}). Topic: ${topic}.`,
  signedBy: (key: string) => `Signed with the key ${key}.`,
  otherKey: (key: string) => `The signature is that of the key ${key}, not of the one you chose.`,
  endedKey: (key: string) =>
    `The signature is that of the key ${key}, which is good no more. Put the new secret key into your receiver.`,
  headerProblem: (line: string) => `“${line}” is no header. Write name: value.`,
  bodyProblem: "Paste the body received.",
  keyProblem: "Choose a key of the list.",
  reason: "Code",
  reasons: {
    nothing: "Nothing is wrong: the signature matches.",
    missing_header:
      "A header is missing. It takes webhook-id, webhook-timestamp and webhook-signature, or the header hmac-sha256 alone. Did a proxy take it away?",
    malformed_header:
      "A header has another form than it should: webhook-timestamp is a number of seconds, and each signature in webhook-signature begins with “v1,”.",
    missing_secret: "The company has no good secret key. Make a key.",
    parsed_body: "The body was parsed already. Take the bytes as they came.",
    no_match: "No signature matches.",
    too_old:
      "The signature matches, but it was sent more than five minutes ago: your receiver would refuse it. It was played again, waited somewhere, or a clock is wrong.",
    too_new:
      "The signature matches, but it is dated more than five minutes from now: a clock is wrong.",
    not_json: "It is signed, and no notification: the body is not JSON.",
    reserialised_body:
      "The body was parsed and written anew, so its bytes are others. Take the raw body, before any parser.",
    changed_whitespace:
      "Whitespace was changed: a line break at the end, indentation. Take the raw body.",
    changed_encoding:
      "The body was read in another encoding than UTF-8. Take its bytes as they came.",
    hex_signature: "The signature is in hexadecimal; it has to be Base64.",
    altered_secret: "The secret key is not as it was shown.",
    token_as_secret:
      "That is the access token (at_…); notifications are signed with the secret key (sk_…).",
    changed_headers:
      "Body and secret key are right; webhook-id, webhook-timestamp or webhook-signature was changed on the way.",
    wrong_secret:
      "The body looks as it was sent, so the secret key is another one: old, or of another company or environment.",
    changed_body: "The body is not what was sent, or the secret key is another one.",
  },
  library: "The SDK and the command `cauri verify-signature` look for the reason in the same way.",
};

export type SignatureWords = typeof fr;
export const signatureWords = inBoth(fr, en);
