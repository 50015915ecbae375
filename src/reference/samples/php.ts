import { argumentsOf } from "./client-arguments.ts";
import { phpNotation, toLiteral } from "./literals.ts";
import { type SampleRequest, tokenVariable } from "./sample-request.ts";
import { type SdkCall, sdkCalls } from "./sdk-calls.ts";

/** With the client of sdk/php; without it where that has no method. */
export function phpSample(request: SampleRequest): string {
  const call = sdkCalls[request.operation.id];
  if (call === undefined)
    return ["<?php", `echo file_get_contents(${literal(request.url)}), PHP_EOL;`].join("\n");
  return [
    "<?php",
    "require 'Cauri.php';",
    "",
    `$cauri = new Cauri\\Cauri(${literal(request.serverUrl)}, getenv('${tokenVariable}'));`,
    "",
    ...useOf(call, request),
  ].join("\n");
}

function useOf(call: SdkCall, request: SampleRequest): string[] {
  const { fileName, idempotencyKey } = request;
  const given = argumentsOf(call, request, literal);
  // A file goes where the second argument says.
  if (fileName !== undefined) given.splice(1, 0, literal(fileName));
  if (idempotencyKey !== undefined) given.push(`['idempotencyKey' => ${literal(idempotencyKey)}]`);
  const asked = `$cauri->${call.method.replace(".", "->")}(${given.join(", ")})`;
  if (call.isList === true) return [`foreach (${asked} as $item) {`, "    print_r($item);", "}"];
  if (fileName !== undefined || request.operation.answers[0]?.contentType === undefined)
    return [`${asked};`];
  return [`$answer = ${asked};`, "print_r($answer);"];
}

function literal(value: unknown): string {
  return toLiteral(phpNotation, value);
}
