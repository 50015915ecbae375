import { argumentsOf } from "./client-arguments.ts";
import { pythonNotation, toLiteral } from "./literals.ts";
import { type SampleRequest, tokenVariable } from "./sample-request.ts";
import { type SdkCall, sdkCalls } from "./sdk-calls.ts";

/** With the client of sdk/python; with what Python comes with where that has no method. */
export function pythonSample(request: SampleRequest): string {
  const call = sdkCalls[request.operation.id];
  if (call === undefined)
    return [
      "import urllib.request",
      "",
      `with urllib.request.urlopen(${literal(request.url)}, timeout=30) as answer:`,
      "    print(answer.read().decode())",
    ].join("\n");
  return [
    "import os",
    "from cauri import Cauri",
    "",
    `cauri = Cauri(${literal(request.serverUrl)}, os.environ["${tokenVariable}"])`,
    "",
    ...useOf(call, request),
  ].join("\n");
}

function useOf(call: SdkCall, request: SampleRequest): string[] {
  const { fileName, idempotencyKey } = request;
  const given = argumentsOf(call, request, literal);
  if (idempotencyKey !== undefined) given.push(`idempotency_key=${literal(idempotencyKey)}`);
  const method = call.method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const asked = `cauri.${method}(${given.join(", ")})`;
  if (call.isList === true) return [`for item in ${asked}:`, "    print(item)"];
  if (fileName !== undefined) return [`${asked}.save(${literal(fileName)})`];
  if (request.operation.answers[0]?.contentType === undefined) return [asked];
  return [`answer = ${asked}`, "print(answer)"];
}

function literal(value: unknown): string {
  return toLiteral(pythonNotation, value);
}
