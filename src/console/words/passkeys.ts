import { inBoth } from "../in-words.ts";

const nb = "\u00a0";

const fr = {
  title: "Clés d’accès",
  what: "Une clé d’accès remplace le code, et même le mot de passe : votre téléphone, votre ordinateur ou une clé de sécurité vous reconnaît par l’empreinte, le visage ou son code. L’application d’authentification reste nécessaire.",
  factorFirst: "Activez d’abord un second facteur.",
  notHere:
    "Ce navigateur ne permet pas d’utiliser une clé d’accès ici. Vos codes marchent partout.",
  list: "Vos clés d’accès",
  name: "Nom",
  nameHint: "Pour la reconnaître : « Téléphone », « Ordinateur du bureau ».",
  nameProblem: "Donnez-lui un nom de 60 caractères au plus.",
  made: "Ajoutée",
  used: "Dernier usage",
  never: "Jamais",
  actions: "Actions",
  manage: "Retirer",
  manageOf: (name: string) => `Retirer la clé d’accès ${name}`,
  add: "Ajouter une clé d’accès",
  addSubmit: "Continuer",
  full: "Vous en avez déjà dix. Retirez-en une d’abord.",
  code: "Code à six chiffres ou code de secours",
  codeHint: "De votre application d’authentification, à cet instant.",
  createTitle: "Créer la clé d’accès",
  createWhat: (name: string) =>
    `Votre navigateur va vous demander où garder la clé «${nb}${name}${nb}», et de confirmer que c’est vous. Vous avez cinq minutes.`,
  create: "Créer la clé d’accès",
  cancel: "Ne rien ajouter",
  added: (name: string) => `La clé d’accès «${nb}${name}${nb}» est ajoutée.`,
  removeTitle: (name: string) => `Retirer «${nb}${name}${nb}»`,
  back: "Revenir à votre compte",
  removeWhat:
    "Elle ne sert plus à l’instant, et vos autres sessions se terminent. Vous pourrez l’ajouter de nouveau.",
  remove: "Retirer la clé d’accès",
  removed: (name: string) =>
    `La clé d’accès «${nb}${name}${nb}» est retirée. Vos autres sessions sont terminées.`,
  use: "Utiliser une clé d’accès",
  useFor: {
    signIn: "Se connecter avec une clé d’accès",
    approve: "Approuver avec une clé d’accès",
    refuse: "Refuser avec une clé d’accès",
    remove: "Confirmer avec une clé d’accès",
  },
  notUsed:
    "La clé d’accès n’a pas été utilisée, rien n’a été fait. Réessayez, ou continuez sans elle.",
  notMade: "La clé d’accès n’a pas été créée. Réessayez, ou recommencez depuis votre compte.",
  alreadyThere: "Cet appareil a déjà une de vos clés d’accès. Choisissez-en un autre.",
  known: "Cette clé d’accès est déjà enregistrée. Rien n’a été ajouté.",
  createRefused:
    "La clé d’accès n’a pas été acceptée, ou plus de cinq minutes ont passé. Recommencez.",
  codeRefused: "Ce code n’est pas le bon, ou il a déjà servi. Attendez le suivant.",
  refused:
    "La clé d’accès n’a pas été acceptée : elle n’est pas connue ici, ou la demande a expiré ou déjà servi. Réessayez, ou continuez sans elle.",
  copied:
    "La clé d’accès a été refusée : son compteur a reculé, quelqu’un l’a peut-être copiée. Continuez sans elle, puis retirez-la de votre compte.",
};

const en: typeof fr = {
  title: "Passkeys",
  what: "A passkey stands in for the code, and for the password too: your phone, computer or security key knows you by fingerprint, face or its own code. The authenticator app is still needed.",
  factorFirst: "Turn on a second factor first.",
  notHere: "This browser cannot use a passkey here. Your codes work everywhere.",
  list: "Your passkeys",
  name: "Name",
  nameHint: "So that you know which it is: “Phone”, “Office computer”.",
  nameProblem: "Give it a name of at most 60 characters.",
  made: "Added",
  used: "Last used",
  never: "Never",
  actions: "Actions",
  manage: "Remove",
  manageOf: (name) => `Remove the passkey ${name}`,
  add: "Add a passkey",
  addSubmit: "Continue",
  full: "You have ten already. Remove one first.",
  code: "Six-digit code or recovery code",
  codeHint: "From your authenticator app, at this moment.",
  createTitle: "Make the passkey",
  createWhat: (name) =>
    `Your browser will ask where to keep the passkey “${name}”, and to confirm that it is you. You have five minutes.`,
  create: "Make the passkey",
  cancel: "Add nothing",
  added: (name) => `The passkey “${name}” is added.`,
  removeTitle: (name) => `Remove “${name}”`,
  back: "Back to your account",
  removeWhat: "It is no good from that moment, and your other sessions end. You can add it again.",
  remove: "Remove the passkey",
  removed: (name) => `The passkey “${name}” is removed. Your other sessions are ended.`,
  use: "Use a passkey",
  useFor: {
    signIn: "Sign in with a passkey",
    approve: "Approve with a passkey",
    refuse: "Refuse with a passkey",
    remove: "Confirm with a passkey",
  },
  notUsed: "The passkey was not used, nothing was done. Try again, or go on without it.",
  notMade: "The passkey was not made. Try again, or begin anew from your account.",
  alreadyThere: "This device has one of your passkeys already. Choose another.",
  known: "This passkey is kept already. Nothing was added.",
  createRefused:
    "The passkey was not accepted, or more than five minutes have gone by. Begin anew.",
  codeRefused: "This code is not right, or was used already. Wait for the next one.",
  refused:
    "The passkey was not accepted: it is not known here, or the request has expired or was used already. Try again, or go on without it.",
  copied:
    "The passkey was refused: its counter went back, somebody may have copied it. Go on without it, then remove it from your account.",
};

export type PasskeyWords = typeof fr;
export const passkeyWords = inBoth(fr, en);
