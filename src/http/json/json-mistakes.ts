import type { Sentence } from "../../kernel/language.ts";

/** What people do wrong when they write JSON. */
export type JsonMistake =
  | "mark"
  | "form"
  | "ended"
  | "open"
  | "after"
  | "trailing"
  | "apostrophe"
  | "name"
  | "colon"
  | "comma"
  | "number"
  | "value"
  | "escape"
  | "control";

export const mistakeWords: Readonly<Record<JsonMistake, Sentence>> = {
  mark: {
    en: "It begins with a byte order mark. Send it without.",
    fr: "Il commence par une marque d’ordre des octets. Envoyez-le sans elle.",
  },
  form: {
    en: 'It is written as a form sends it. Send JSON, such as {"amount": 5000}.',
    fr: 'Il est écrit comme un formulaire l’envoie. Envoyez du JSON, par exemple {"amount": 5000}.',
  },
  ended: {
    en: "It ends there before it is whole: a bracket or a value is missing.",
    fr: "Il s’arrête là avant d’être complet\u00a0: une accolade, un crochet ou une valeur manque.",
  },
  open: {
    en: "The text that begins there has no quote at its end.",
    fr: "Le texte qui commence là n’a pas de guillemet à la fin.",
  },
  after: {
    en: "Something stands behind the end. Send one JSON value and nothing else.",
    fr: "Quelque chose suit la fin. Envoyez une seule valeur JSON et rien d’autre.",
  },
  trailing: {
    en: "There is a comma before the closing bracket. Take it out.",
    fr: "Il y a une virgule avant l’accolade ou le crochet de fin. Retirez-la.",
  },
  apostrophe: {
    en: "Write names and texts between double quotes, not single ones.",
    fr: "Écrivez les noms et les textes entre guillemets doubles, et non simples.",
  },
  name: {
    en: "A name is expected there. Write it between double quotes.",
    fr: "Un nom est attendu là. Écrivez-le entre guillemets doubles.",
  },
  colon: {
    en: "A colon is expected there, between a name and its value.",
    fr: "Un deux-points est attendu là, entre un nom et sa valeur.",
  },
  comma: {
    en: "A comma or a closing bracket is expected there.",
    fr: "Une virgule, ou une accolade ou un crochet de fin, est attendue là.",
  },
  number: {
    en: "Write the number as 5000 or 0.5: without a plus, leading zeros or a point at an end.",
    fr: "Écrivez le nombre comme 5000 ou 0.5\u00a0: sans plus, sans zéro devant ni point à un bout.",
  },
  value: {
    en: "A value is expected there: a number, a text between double quotes, true, false, null, a list or an object.",
    fr: "Une valeur est attendue là\u00a0: un nombre, un texte entre guillemets doubles, true, false, null, une liste ou un objet.",
  },
  escape: {
    en: "Write a backslash in a text as two.",
    fr: "Dans un texte, écrivez deux barres obliques inverses pour une.",
  },
  control: {
    en: "Write the end of a line in a text as \\n, a tab as \\t, other control characters as \\u….",
    fr: "Dans un texte, écrivez une fin de ligne \\n, une tabulation \\t, les autres caractères de contrôle \\u….",
  },
};
