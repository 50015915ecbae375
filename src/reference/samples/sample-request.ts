import type { Operation } from "../read-reference.ts";

/** A request that shows what an operation is asked: the same for every language that it is written in. */
export interface SampleRequest {
  readonly operation: Operation;
  readonly serverUrl: string;
  readonly url: string;
  readonly pathValues: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  /** Where an answer that is no JSON goes. */
  readonly fileName: string | undefined;
}

/** Headers beside the token, which no sample has in plain text. */
type Headers = readonly (readonly [name: string, value: string])[];

/** The environment variable that has the token, in every sample. */
export const tokenVariable = "CAURI_TOKEN";

/** Built from the examples of the document alone. */
export function sampleRequest(operation: Operation, serverUrl: string): SampleRequest {
  const { parameters, path, body, answers } = operation;
  const shown = parameters.filter(({ example }) => example !== undefined);
  const inPath = shown.filter((one) => one.in === "path");
  const inQuery = shown.filter((one) => one.in === "query");
  const query = Object.fromEntries(inQuery.map(({ name, example }) => [name, example]));
  const filled = inPath.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const search = inQuery.map(
    ({ name, example }) => `${name}=${encodeURIComponent(String(example))}`,
  );
  return {
    operation,
    serverUrl,
    url: `${serverUrl}${filled}${search.length === 0 ? "" : `?${search.join("&")}`}`,
    pathValues: inPath.map(({ example }) => String(example)),
    query,
    body: body?.example,
    idempotencyKey: operation.takesKey ? `${operation.id}-0001` : undefined,
    fileName: isFile(answers[0]?.contentType) ? path.split("/").at(-1) : undefined,
  };
}

export function headersOf({ body, idempotencyKey }: SampleRequest): Headers {
  return [
    ...(idempotencyKey === undefined ? [] : [["Idempotency-Key", idempotencyKey] as const]),
    ...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
  ];
}

function isFile(contentType: string | undefined): boolean {
  return contentType !== undefined && !/^(?:application\/json|text\/plain)/.test(contentType);
}
