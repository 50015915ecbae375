import { inBoth } from "../in-words.ts";

interface StepUpWords {
  readonly title: string;
  readonly what: string;
  readonly code: string;
  readonly hint: string;
  readonly submit: string;
  /** Leads to where a passkey can be used. */
  readonly usePasskey: string;
  readonly signPasskey: string;
  readonly missing: string;
  readonly codeRefused: string;
  readonly cancel: string;
}

const fr: StepUpWords = {
  title: "Confirmez que c’est vous",
  what: "Cette action demande un nouveau code. Ce que vous avez rempli est gardé et partira avec lui ; rien n’a encore été changé.",
  code: "Code de votre application",
  hint: "Ou un code de secours. Il ne vous sera plus demandé pendant cinq minutes.",
  submit: "Confirmer",
  usePasskey: "Confirmer avec une clé d’accès",
  signPasskey: "Utiliser une clé d’accès",
  missing: "Saisissez un nouveau code. Rien n’a été changé.",
  codeRefused:
    "Ce code n’est pas le bon, ou il a déjà servi. Attendez le suivant. Rien n’a été changé.",
  cancel: "Annuler",
};

const en: StepUpWords = {
  title: "Confirm that it is you",
  what: "This takes a new code. What you filled in is kept and goes with it; nothing was changed yet.",
  code: "Code of your app",
  hint: "Or a recovery code. You are not asked again for five minutes.",
  submit: "Confirm",
  usePasskey: "Confirm with a passkey",
  signPasskey: "Use a passkey",
  missing: "Type a new code. Nothing was changed.",
  codeRefused:
    "That is not the code, or it was used already. Wait for the next one. Nothing was changed.",
  cancel: "Cancel",
};

export const stepUpWords = inBoth(fr, en);
