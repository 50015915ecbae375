import { inBoth } from "../in-words.ts";

const fr = {
  title: "Développeurs",
  pages: "Pages des développeurs",
  tabs: {
    keys: "Clés",
    webhooks: "Webhooks",
    deliveries: "Envois",
    signature: "Signature",
    requests: "Requêtes",
  },
  keys: "Clés de l’API",
  keysWhat:
    "Une clé est un jeton d’accès, pour les programmes qui appellent l’API, et une clé secrète, qui signe les webhooks. Les deux ne sont affichés qu’à la création.",
  key: "Clé",
  created: "Créée",
  state: "État",
  good: "Valable",
  ends: (moment: string) => `Se termine le ${moment}`,
  ended: (moment: string) => `Terminée le ${moment}`,
  revoked: (moment: string) => `Révoquée le ${moment}`,
  actions: "Actions",
  revoke: "Révoquer",
  revokeTitle: (key: string) => `Révoquer ${key}`,
  revokeWhat:
    "Le programme qui utilise cette clé est refusé à l’instant, sur tous les serveurs et pour toujours. Aucun argent ne bouge. Créez d’abord une autre clé si un programme en a besoin.",
  revokedNow: "La clé est révoquée. Elle n’ouvre plus rien.",
  rotate: "Nouvelle clé",
  rotateWhat:
    "Les clés actuelles restent valables le temps que vous choisissez, pour que vos programmes changent sans coupure. Les webhooks portent pendant ce temps une signature par clé.",
  overlap: "Les clés actuelles se terminent",
  overlaps: {
    "0": "à l’instant",
    "3600": "dans une heure",
    "86400": "dans un jour",
    "604800": "dans une semaine",
  },
  rotateSubmit: "Créer la clé",
  newTitle: "Votre nouvelle clé",
  newWhat: "Gardez-la maintenant dans un endroit sûr : elle ne sera plus jamais affichée.",
  accessToken: "Jeton d’accès",
  secretKey: "Clé secrète",
  back: "Revenir aux clés",
  tooMany:
    "Trop de clés sont valables en même temps. Révoquez-en une, ou attendez la fin d’une autre. Rien n’a été changé.",
  overlapProblem: "Choisissez quand les clés actuelles se terminent.",
  none: { title: "Aucune clé", text: "Créez une clé pour qu’un programme puisse appeler l’API." },
};

const en: typeof fr = {
  title: "Developers",
  pages: "Pages for developers",
  tabs: {
    keys: "Keys",
    webhooks: "Webhooks",
    deliveries: "Deliveries",
    signature: "Signature",
    requests: "Requests",
  },
  keys: "API keys",
  keysWhat:
    "A key is an access token, for programs that call the API, and a secret key, which signs webhooks. Both are shown only when they are made.",
  key: "Key",
  created: "Created",
  state: "State",
  good: "Good",
  ends: (moment: string) => `Ends ${moment}`,
  ended: (moment: string) => `Ended ${moment}`,
  revoked: (moment: string) => `Revoked ${moment}`,
  actions: "Actions",
  revoke: "Revoke",
  revokeTitle: (key: string) => `Revoke ${key}`,
  revokeWhat:
    "Whatever program uses this key is refused at once, on every server and for ever. No money moves. Make another key first if a program needs one.",
  revokedNow: "The key is revoked. It opens nothing any more.",
  rotate: "New key",
  rotateWhat:
    "The present keys stay good for as long as you choose, so that your programs change over without a gap. Meanwhile webhooks carry one signature for each key.",
  overlap: "The present keys end",
  overlaps: { "0": "at once", "3600": "in an hour", "86400": "in a day", "604800": "in a week" },
  rotateSubmit: "Make the key",
  newTitle: "Your new key",
  newWhat: "Keep it in a safe place now: it is never shown again.",
  accessToken: "Access token",
  secretKey: "Secret key",
  back: "Back to the keys",
  tooMany:
    "Too many keys are good at the same time. Revoke one, or wait until one ends. Nothing was changed.",
  overlapProblem: "Choose when the present keys end.",
  none: { title: "No key", text: "Make a key so that a program can call the API." },
};

export type DeveloperWords = typeof fr;
export const developerWords = inBoth(fr, en);
