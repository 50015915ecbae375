import { passwordMin } from "../../staff/passwords.ts";
import { inBoth } from "../in-words.ts";

const nb = "\u00a0";

const fr = {
  title: "Se connecter",
  email: "Adresse e-mail",
  password: "Mot de passe",
  submit: "Se connecter",
  noAccount: "Vous entrez dans la console par l’invitation d’un propriétaire de votre société.",
  left: "Vous êtes déconnecté.",
  accepted: "L’invitation est acceptée. Connectez-vous pour continuer.",
  refused: "L’adresse ou le mot de passe n’est pas le bon.",
  wait: (wait: string) => `Trop d’essais. Réessayez dans ${wait}.`,

  codeTitle: "Votre second facteur",
  codeWhat: "Ouvrez votre application d’authentification et saisissez son code à six chiffres.",
  code: "Code à six chiffres ou code de secours",
  codeSubmit: "Continuer",
  codeRefused:
    "Ce code n’est pas le bon, ou il a déjà servi. Attendez le suivant dans votre application.",
  lost: "Téléphone perdu ? Utilisez un code de secours. Sans code de secours, demandez un nouveau lien à l’opérateur.",
  startAgain: "Recommencer avec une autre adresse",

  joinTitle: (company: string) => `Rejoindre ${company}`,
  joinOperators: "Rejoindre les opérateurs",
  resetTitle: "Choisir un nouveau mot de passe",
  joinAs: (role: string) => `Vous y aurez le rôle${nb}: ${role}.`,
  joinHave: "J’ai déjà un compte",
  joinNew: "Je suis nouveau",
  joinOtherWay: "Se connecter autrement, par exemple avec une clé d’accès",
  joinSignedIn: "Vous êtes connecté avec cette adresse.",
  joinAccept: "Accepter l’invitation",
  joinRefused:
    "Cela n’a pas été accepté. Si vous avez un compte avec cette adresse, connectez-vous avec son mot de passe ; sinon, choisissez-en un. Si rien ne va, demandez une nouvelle invitation, ou un lien à l’opérateur si vous ne pouvez plus vous connecter.",
  resetRefused: "Cela n’a pas été accepté. Demandez un nouveau lien à l’opérateur.",
  linkUntil: (moment: string) => `Ce lien sert une seule fois, jusqu’au ${moment}.`,
  linkGone: {
    title: "Ce lien ne sert plus",
    what: "Il a déjà servi, a été retiré ou a expiré. Demandez-en un nouveau à la personne qui vous l’a envoyé.",
  },
  choose: "Choisissez un mot de passe",
  chooseHint: `Au moins ${passwordMin} caractères. Une phrase que vous retenez vaut mieux qu’un mot compliqué.`,
  repeat: "Le même, encore une fois",
  joinSubmit: "Accepter et continuer",
  problems: {
    short: `Le mot de passe doit avoir au moins ${passwordMin} caractères.`,
    long: "Le mot de passe est trop long.",
    common: "Ce mot de passe est trop facile à deviner. Choisissez-en un autre.",
    different: "Les deux mots de passe ne sont pas les mêmes.",
    wrong: "Ce n’est pas votre mot de passe.",
  },

  factorTitle: "Protéger votre compte",
  factorChangeTitle: "Changer de second facteur",
  factorWhy:
    "Votre rôle demande un second facteur. Il vous faut une application d’authentification sur votre téléphone, comme Aegis, FreeOTP ou Google Authenticator.",
  factorScan: "Scannez ce code avec l’application",
  factorQr: "Code QR pour votre application d’authentification",
  factorText: "Ou saisissez cette clé dans l’application",
  factorCurrent: "Code actuel de votre ancien second facteur, ou code de secours",
  factorCode: "Code à six chiffres que l’application affiche",
  factorSubmit: "Activer",
  factorRefused:
    "Ce code n’est pas le bon. Vérifiez l’heure de votre téléphone, puis saisissez le code suivant.",
  codesTitle: "Vos codes de secours",
  codesWhat:
    "Chacun de ces codes remplace votre téléphone une seule fois. Ils ne seront plus jamais affichés. Imprimez-les ou notez-les, et gardez-les loin de votre téléphone.",
  codesNext: "J’ai gardé mes codes, continuer",
};

const en: typeof fr = {
  title: "Sign in",
  email: "E-mail address",
  password: "Password",
  submit: "Sign in",
  noAccount: "An owner of your company invites you to the console.",
  left: "You are signed out.",
  accepted: "The invitation is accepted. Sign in to go on.",
  refused: "The address or the password is not right.",
  wait: (wait: string) => `Too many tries. Try again in ${wait}.`,

  codeTitle: "Your second factor",
  codeWhat: "Open your authenticator app and type its six-digit code.",
  code: "Six-digit code or recovery code",
  codeSubmit: "Continue",
  codeRefused: "This code is not right, or was used already. Wait for the next one in your app.",
  lost: "Lost your phone? Use a recovery code. Without one, ask the operator for a new link.",
  startAgain: "Begin again with another address",

  joinTitle: (company: string) => `Join ${company}`,
  joinOperators: "Join the operators",
  resetTitle: "Choose a new password",
  joinAs: (role: string) => `Your role there: ${role}.`,
  joinHave: "I have an account",
  joinNew: "I am new",
  joinOtherWay: "Sign in another way, with a passkey for example",
  joinSignedIn: "You are signed in with this address.",
  joinAccept: "Accept the invitation",
  joinRefused:
    "This was not accepted. If you have an account with this address, sign in with its password; if not, choose one. If neither works, ask for a new invitation, or ask the operator for a link if you cannot sign in any more.",
  resetRefused: "This was not accepted. Ask the operator for a new link.",
  linkUntil: (moment: string) => `This link is good once, until ${moment}.`,
  linkGone: {
    title: "This link is not good any more",
    what: "It was used, withdrawn, or has expired. Ask whoever sent it for a new one.",
  },
  choose: "Choose a password",
  chooseHint: `At least ${passwordMin} characters. A sentence you remember is better than a complicated word.`,
  repeat: "The same once more",
  joinSubmit: "Accept and continue",
  problems: {
    short: `The password needs at least ${passwordMin} characters.`,
    long: "The password is too long.",
    common: "This password is too easy to guess. Choose another.",
    different: "The two passwords are not the same.",
    wrong: "This is not your password.",
  },

  factorTitle: "Protect your account",
  factorChangeTitle: "Change your second factor",
  factorWhy:
    "Your role needs a second factor. You need an authenticator app on your phone, such as Aegis, FreeOTP or Google Authenticator.",
  factorScan: "Scan this code with the app",
  factorQr: "QR code for your authenticator app",
  factorText: "Or type this key into the app",
  factorCurrent: "Current code of your old second factor, or a recovery code",
  factorCode: "Six-digit code that the app shows",
  factorSubmit: "Turn on",
  factorRefused: "This code is not right. Check the time of your phone, then type the next code.",
  codesTitle: "Your recovery codes",
  codesWhat:
    "Each of these codes stands in for your phone once. They are never shown again. Print them or write them down, and keep them away from your phone.",
  codesNext: "I have kept my codes, continue",
};

export type LoginWords = typeof fr;
export const loginWords = inBoth(fr, en);
