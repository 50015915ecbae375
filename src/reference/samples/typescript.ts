import { argumentsOf } from "./client-arguments.ts";
import { toLiteral, typescriptNotation } from "./literals.ts";
import { type SampleRequest, tokenVariable } from "./sample-request.ts";
import { type SdkCall, sdkCalls } from "./sdk-calls.ts";

/** With the SDK; with fetch where it has no method. */
export function typescriptSample(request: SampleRequest): string {
  const call = sdkCalls[request.operation.id];
  if (call === undefined) return withFetch(request);
  const { serverUrl, fileName } = request;
  return [
    ...(fileName === undefined ? [] : ['import { writeFile } from "node:fs/promises";']),
    'import { Cauri } from "@cauri/sdk";',
    "",
    `const { ${tokenVariable}: token = "" } = process.env;`,
    `const cauri = new Cauri({ url: ${literal(serverUrl)}, token });`,
    "",
    ...useOf(call, request),
  ].join("\n");
}

function useOf(call: SdkCall, request: SampleRequest): string[] {
  const { idempotencyKey } = request;
  const given = argumentsOf(call, request, literal);
  if (idempotencyKey !== undefined) given.push(`{ idempotencyKey: ${literal(idempotencyKey)} }`);
  const asked = `cauri.${call.method}(${given.join(", ")})`;
  if (call.isList === true)
    return [`for await (const item of ${asked}) {`, "  console.log(item);", "}"];
  if (request.fileName !== undefined)
    return [
      `const { body } = await ${asked};`,
      `await writeFile(${literal(request.fileName)}, body);`,
    ];
  if (request.operation.answers[0]?.contentType === undefined) return [`await ${asked};`];
  return [`const answer = await ${asked};`, "console.log(answer);"];
}

function withFetch({ url }: SampleRequest): string {
  return [
    `const response = await fetch(${literal(url)});`,
    "console.log(response.status, await response.text());",
  ].join("\n");
}

function literal(value: unknown): string {
  return toLiteral(typescriptNotation, value);
}
