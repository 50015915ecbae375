import type { Language } from "../kernel/language.ts";

/** The words that sentences about wrong values are made of. */
interface SchemaWords {
  readonly sentence: (subject: string, wrong: string, allowed: string) => string;
  readonly body: string;
  readonly row: string;
  /** What a value of a JSON type is called. */
  readonly types: Readonly<Record<string, string>>;
  readonly is: (type: string) => string;
  /** What is wrong, by the keyword of the schema that was not met. */
  readonly wrong: Readonly<Record<string, string>>;
  readonly orNull: (allowed: string) => string;
  readonly oneOf: (values: string) => string;
  readonly phone: string;
  readonly asText: (allowed: string) => string;
  readonly reference: (sized: string) => string;
  readonly fromTo: (noun: string, min: number, max: number) => string;
  readonly atLeast: (noun: string, min: number) => string;
  readonly sized: (
    noun: string,
    unit: "characters" | "entries",
    min: number,
    max: number,
  ) => string;
  readonly asDescribed: string;
  readonly unknownField: (field: string, known: string, meant: string | undefined) => string;
  readonly badRows: (bad: number, all: number) => string;
  readonly manyBadRows: (bad: number, all: number) => string;
  readonly notValid: string;
}

const en: SchemaWords = {
  sentence: (subject, wrong, allowed) => `${subject} ${wrong}; it must be ${allowed}.`,
  body: "The body",
  row: "The transaction",
  types: {
    string: "text",
    integer: "a whole number",
    number: "a number",
    boolean: "true or false",
    array: "a list",
    object: "an object",
    null: "null",
  },
  is: (type) => `is ${type}`,
  wrong: {
    required: "is missing",
    noBody: "is missing or null",
    repeated: "stands more than once",
    type: "has the wrong type",
    fraction: "is not whole",
    enum: "is not an allowed value",
    const: "is not an allowed value",
    minLength: "is empty",
    minItems: "is empty",
    maxLength: "is too long",
    maxItems: "has too many entries",
    minimum: "is too small",
    maximum: "is too large",
    pattern: "does not have the right form",
    storable: "holds a character that cannot be kept (NUL or half a surrogate pair)",
    blankEnds: "begins or ends with a blank",
    controls: "holds a control character, such as a tab or the end of a line",
    other: "is not valid",
  },
  orNull: (allowed) => `${allowed}, or null`,
  oneOf: (values) => `one of ${values}`,
  asText: (allowed) => `text between double quotes, ${allowed}`,
  reference: (sized) => `${sized}, without blanks at the ends and without control characters`,
  phone: "a phone number of 8 to 15 digits with its country code, with or without a leading +",
  fromTo: (noun, min, max) => `${noun} from ${min} to ${max}`,
  atLeast: (noun, min) => `${noun} of at least ${min}`,
  sized: (noun, unit, min, max) =>
    min === 0 ? `${noun} of at most ${max} ${unit}` : `${noun} of ${min} to ${max} ${unit}`,
  asDescribed: "as /openapi.json describes it",
  unknownField: (field, known, meant) =>
    meant === undefined
      ? `${field} is not a known field; leave it out. Known here: ${known}.`
      : `${field} is not a known field; did you mean ${meant}? Known here: ${known}.`,
  badRows: (bad, all) =>
    `${bad} of ${all} transactions are not valid; nothing was sent. See details.`,
  manyBadRows: (bad, all) =>
    `At least ${bad} of ${all} transactions are not valid; nothing was sent. See details for the first of them.`,
  notValid: "The request is not valid.",
};

const frenchUnits = { characters: "caractères", entries: "éléments" } as const;

const fr: SchemaWords = {
  sentence: (subject, wrong, allowed) => `${subject} ${wrong}. Valeur attendue\u00a0: ${allowed}.`,
  body: "Le corps",
  row: "La transaction",
  types: {
    string: "du texte",
    integer: "un nombre entier",
    number: "un nombre",
    boolean: "true ou false",
    array: "une liste",
    object: "un objet",
    null: "null",
  },
  is: (type) => `est ${type}`,
  wrong: {
    required: "manque",
    noBody: "manque ou est null",
    repeated: "figure plusieurs fois",
    type: "n’est pas du bon type",
    fraction: "n’est pas entier",
    enum: "n’est pas une valeur admise",
    const: "n’est pas une valeur admise",
    minLength: "est vide",
    minItems: "est vide",
    maxLength: "est trop long",
    maxItems: "a trop d’éléments",
    minimum: "est trop petit",
    maximum: "est trop grand",
    pattern: "n’a pas la bonne forme",
    storable:
      "contient un caractère qui ne peut pas être conservé (NUL ou moitié d’une paire de substitution)",
    blankEnds: "commence ou finit par un blanc",
    controls: "contient un caractère de contrôle, par exemple une tabulation ou une fin de ligne",
    other: "n’est pas valable",
  },
  orNull: (allowed) => `${allowed}, ou null`,
  oneOf: (values) => `l’une de celles-ci, ${values}`,
  asText: (allowed) => `du texte entre guillemets doubles, ${allowed}`,
  reference: (sized) => `${sized}, sans blanc au début ni à la fin et sans caractère de contrôle`,
  phone:
    "un numéro de téléphone de 8 à 15 chiffres avec l’indicatif du pays, avec ou sans + devant",
  fromTo: (noun, min, max) => `${noun} de ${min} à ${max}`,
  atLeast: (noun, min) => `${noun} d’au moins ${min}`,
  sized: (noun, unit, min, max) =>
    min === 0
      ? `${noun} d’au plus ${max} ${frenchUnits[unit]}`
      : `${noun} de ${min} à ${max} ${frenchUnits[unit]}`,
  asDescribed: "celle que décrit /openapi.json",
  unknownField: (field, known, meant) =>
    meant === undefined
      ? `${field} n’est pas un champ connu, omettez-le. Champs connus ici\u00a0: ${known}.`
      : `${field} n’est pas un champ connu. Vouliez-vous écrire ${meant}\u00a0? Champs connus ici\u00a0: ${known}.`,
  badRows: (bad, all) =>
    `Transactions non valables\u00a0: ${bad} sur ${all}. Rien n’a été envoyé, voyez details.`,
  manyBadRows: (bad, all) =>
    `Au moins ${bad} transactions sur ${all} ne sont pas valables. Rien n’a été envoyé, voyez les premières dans details.`,
  notValid: "La requête n’est pas valable.",
};

export const schemaWords: Readonly<Record<Language, SchemaWords>> = { en, fr };
