import type { ErrorObject } from "ajv";
import { composeSentence, type Language, type Sentence } from "../kernel/language.ts";
import { msisdnPattern, msisdnProblem, msisdnQueryPattern } from "../kernel/msisdn.ts";
import { nearestWord } from "../kernel/nearest-word.ts";
import { toVisible } from "../kernel/visible.ts";
import { schemaWords } from "./schema-words.ts";
import { msisdnFilterPattern, referencePattern, storableText } from "./schemas.ts";

/** A JSON schema as far as sentences speak of it. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Whose value is wrong: a field by its name; without a name the body itself, or a row of a batch. */
interface Subject {
  readonly field: string;
  readonly isRow: boolean;
  readonly isQuery: boolean;
}

/**
 * Says which field is wrong, what is wrong with its value, and what is allowed. The value itself is never said: it
 * may be long, secret, or somebody's phone number.
 */
export function toSentence(subject: Subject, error: ErrorObject): Sentence {
  const schema = schemaOf(error);
  if (error.keyword === "additionalProperties")
    return unknownField(subject.field, Object.keys(schema.properties ?? {}));
  const phone = phoneProblemOf(error, schema);
  return composeSentence((language) => {
    const words = schemaWords[language];
    const name = subject.field || (subject.isRow ? words.row : words.body);
    if (phone !== undefined) return `${name} ${phone[language]}`;
    const allowed = allowedOf(schema, language);
    const isPhoneType = error.keyword === "type" && msisdnPatterns.has(schema.pattern);
    const isReference = error.keyword === "pattern" && schema.pattern === referencePattern;
    return words.sentence(
      name,
      wrongOf(subject, error, schema, language),
      isReference ? words.reference(allowed) : isPhoneType ? words.asText(allowed) : allowed,
    );
  });
}

const msisdnPatterns = new Set<unknown>([msisdnPattern, msisdnQueryPattern, msisdnFilterPattern]);

function phoneProblemOf({ keyword, data }: ErrorObject, { pattern }: Schema): Sentence | undefined {
  if (keyword !== "pattern" || !msisdnPatterns.has(pattern)) return undefined;
  return msisdnProblem(String(data));
}

function unknownField(field: string, known: readonly string[]): Sentence {
  const meant = nearestWord(field, known);
  return composeSentence((language) =>
    schemaWords[language].unknownField(toVisible(field), known.join(", "), meant),
  );
}

/** The schema that the value had to meet, as far as the error tells. */
function schemaOf({ keyword, params, parentSchema }: ErrorObject): Schema {
  const schema = parentSchema as Schema | undefined;
  if (keyword === "required") return schema?.properties?.[String(params["missingProperty"])] ?? {};
  const said =
    params["type"] ?? params["allowedValues"] ?? params["allowedValue"] ?? params["limit"];
  return schema ?? { [keyword]: said ?? params["pattern"] };
}

function wrongOf(
  { field, isRow, isQuery }: Subject,
  { keyword, data }: ErrorObject,
  schema: Schema,
  language: Language,
): string {
  const { wrong, is, types } = schemaWords[language];
  const say = (name: string) => wrong[name] ?? wrong["other"] ?? "";
  if (keyword === "pattern") return say(patternProblem(schema.pattern, String(data)));
  if (keyword !== "type" || data === undefined) return say(keyword);
  if (isQuery && Array.isArray(data)) return say("repeated");
  if (data === null && field === "" && !isRow) return say("noBody");
  if (typeof data === "number" && [schema.type].flat().includes("integer")) return say("fraction");
  const given = data === null ? "null" : Array.isArray(data) ? "array" : typeof data;
  return is(types[given] ?? given);
}

const notStorable = /[\0\p{Cs}]/u;
const blankEnds = /^\s|\s$/u;

function patternProblem(pattern: string | undefined, text: string): string {
  if (pattern === storableText) return "storable";
  if (pattern !== referencePattern) return "pattern";
  if (notStorable.test(text)) return "storable";
  return blankEnds.test(text) ? "blankEnds" : "controls";
}

function allowedOf(schema: Schema, language: Language): string {
  const types = [schema.type ?? []].flat();
  const noun = nounOf(
    schema,
    types.find((type) => type !== "null"),
    language,
  );
  return types.includes("null") ? schemaWords[language].orNull(noun) : noun;
}

function nounOf(schema: Schema, type: string | undefined, language: Language): string {
  const { types, ...words } = schemaWords[language];
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined) {
    const list = values
      .filter((value) => value !== null)
      .map(String)
      .join(", ");
    return values.length === 1 ? `"${list}"` : words.oneOf(list);
  }
  if (msisdnPatterns.has(schema.pattern)) return words.phone;

  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = schema;
  const noun = (expected: string) => types[type ?? expected] ?? words.asDescribed;
  if (maxLength !== undefined)
    return words.sized(noun("string"), "characters", minLength ?? 0, maxLength);
  if (maxItems !== undefined) return words.sized(noun("array"), "entries", minItems ?? 0, maxItems);
  if (minimum !== undefined && maximum !== undefined)
    return words.fromTo(noun("integer"), minimum, maximum);
  if (minimum !== undefined) return words.atLeast(noun("integer"), minimum);
  return noun("");
}
