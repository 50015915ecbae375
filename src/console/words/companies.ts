import { inBoth } from "../in-words.ts";

const fr = {
  title: "Choisir une société",
  signedInAs: (email: string) => `Connecté avec l’adresse ${email}.`,
  open: (company: string) => `Ouvrir ${company}`,
  none: "Vous ne travaillez plus pour aucune société. Demandez une invitation à un propriétaire.",
};

const en: typeof fr = {
  title: "Choose a company",
  signedInAs: (email: string) => `Signed in as ${email}.`,
  open: (company: string) => `Open ${company}`,
  none: "You do not work for any company now. Ask an owner for an invitation.",
};

export type CompaniesWords = typeof fr;
export const companiesWords = inBoth(fr, en);
