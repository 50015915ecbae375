import { describe, expect, test } from "vitest";
import { operations, readDocument, reference } from "../../test/reference.ts";
import { inLanguage } from "../kernel/language.ts";
import { apiErrors } from "./api-errors.ts";
import type { Field } from "./read-reference.ts";
import { sdkCalls } from "./samples/sdk-calls.ts";
import { stateDiagrams } from "./states.ts";
import { en } from "./words/en.ts";
import { fieldNotes } from "./words/field-notes.ts";
import { fr } from "./words/fr.ts";
import { french, noteKey } from "./words/translate.ts";

/** Every field that the page shows, with what it is a field of. */
function everyField(): { parent: string; field: Field }[] {
  const within = (parent: string, fields: readonly Field[]): { parent: string; field: Field }[] =>
    fields.flatMap((field) => [{ parent, field }, ...within(field.name, field.fields)]);
  return [
    ...operations.flatMap(({ id, parameters, body, answers }) => [
      ...within(id, parameters),
      ...within(id, body?.fields ?? []),
      ...answers.flatMap(({ fields }) => within(id, fields)),
    ]),
    ...reference.objects.flatMap(({ name, fields }) => within(name, fields)),
    ...reference.topics.flatMap(({ headers }) => within("topics", headers)),
  ];
}

function everySentence(): string[] {
  return [
    reference.description,
    ...reference.groups.map(({ description }) => description),
    ...operations.flatMap(({ summary, description, answers }) => [
      summary,
      description,
      ...answers.map((answer) => answer.description),
    ]),
    ...reference.topics.flatMap(({ summary, description }) => [summary, description]),
    ...everyField().flatMap(({ field }) => field.description ?? []),
  ];
}

describe("nothing is missing", () => {
  test("every operation of the document is in a group, and every group has a French name", () => {
    const named = Object.values(readDocument().paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );

    expect(operations.map(({ id }) => id).toSorted()).toEqual(named.toSorted());
    for (const { name, operations: inside } of reference.groups) {
      expect(fr.groups[name], name).toBeDefined();
      expect(inside.length, name).toBeGreaterThan(0);
    }
    expect(Object.keys(fr.groups)).toEqual(Object.keys(en.groups));
  });

  test("every sentence of the document is there in French, and no French one is for nothing", () => {
    const said = new Set(everySentence());

    expect([...said].filter((sentence) => !french.has(sentence))).toEqual([]);
    // Said of answers that are errors, which have no fields of their own on the page.
    const ofNotifications = ["2XX", "410", "4XX"].flatMap((status) =>
      Object.values(readDocument().webhooks).map(
        ({ post }) => post.responses[status]?.description ?? "",
      ),
    );
    const known = new Set([...said, ...ofNotifications]);
    expect([...french.keys()].filter((sentence) => !known.has(sentence))).toEqual([]);
  });

  test("every field says what it is, and no note is for nothing", () => {
    const silent = everyField().filter(({ field }) => field.description === undefined);
    const keys = silent.map(({ parent, field }) => ({
      field: `${parent}.${field.name}`,
      key: noteKey(parent, field.name),
    }));

    expect(silent.length).toBeGreaterThan(50);
    // A field that is another object leads to where that is told.
    expect(keys.filter(({ key }) => key === undefined).map(({ field }) => field)).toEqual([]);
    const used = new Set(keys.map(({ key }) => key));
    expect(Object.keys(fieldNotes).filter((key) => !used.has(key))).toEqual([]);
  });
});

describe("errors", () => {
  test("every error answer of every operation has a code, and every code an answer it comes with", () => {
    const wrong: string[] = [];
    for (const operation of operations) {
      const documented = operation.answers
        .map(({ status }) => status)
        .filter((one) => one >= "400");
      const given = apiErrors.filter(({ isGivenBy }) => isGivenBy(operation));
      const statuses = new Set(given.map(({ status }) => String(status)));
      for (const status of documented)
        if (!statuses.has(status)) wrong.push(`${operation.id} ${status}: no code`);
      for (const { error, status } of given)
        if (!documented.includes(String(status)))
          wrong.push(`${operation.id}: ${error.code} comes with ${status}`);
    }

    expect(wrong).toEqual([]);
  });

  test("an error that is some operations' own names operations that there are", () => {
    const own = apiErrors.filter(({ isCommon }) => !isCommon);

    expect(own.length).toBeGreaterThan(20);
    for (const { error, isGivenBy } of own)
      expect(operations.some(isGivenBy), error.code).toBe(true);
    for (const { error } of apiErrors)
      expect(inLanguage("fr", error.said), error.code).not.toBe(inLanguage("en", error.said));
  });
});

describe("state diagrams", () => {
  const statusesOf = (object: string) =>
    reference.objects
      .find(({ name }) => name === object)
      ?.fields.find(({ name }) => name === "status")?.schema.enum;

  test.for([
    ["transfer", "Transaction"],
    ["batch", "Batch"],
    ["charge", "Charge"],
    ["delivery", "Delivery"],
  ] as const)("%s has the states of %s, each reached by a transition", ([id, object]) => {
    const diagram = stateDiagrams.find((one) => one.id === id);
    const names = diagram?.states.map(({ name }) => name) ?? [];

    expect(names.toSorted()).toEqual([...(statusesOf(object) ?? [])].map(String).toSorted());
    const reached = new Set(diagram?.transitions.map(({ to }) => to));
    expect([...reached].toSorted()).toEqual(names.toSorted());
  });
});

test("every operation that needs a token has a method of the SDK", () => {
  const without = operations.filter(({ id, needsToken }) => needsToken && !(id in sdkCalls));

  expect(without.map(({ id }) => id)).toEqual([]);
  const ids = new Set(operations.map(({ id }) => id));
  expect(Object.keys(sdkCalls).filter((id) => !ids.has(id))).toEqual([]);
});
