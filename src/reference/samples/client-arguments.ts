import type { SampleRequest } from "./sample-request.ts";
import type { SdkCall } from "./sdk-calls.ts";

/** What a method of a client is handed, in the order of its arguments, and written by `literal`. */
export function argumentsOf(
  { takes }: SdkCall,
  { pathValues, query, body }: SampleRequest,
  literal: (value: unknown) => string,
): string[] {
  return takes.flatMap((argument) => {
    const [part, name = ""] = argument.split(".");
    if (argument.startsWith('"')) return [literal(argument.slice(1, -1))];
    if (part === "path") return pathValues.map((value) => literal(value));
    const whole = part === "query" ? query : body;
    if (name !== "") return [literal((whole as Record<string, unknown>)[name])];
    return Object.keys(whole as object).length === 0 ? [] : [literal(whole)];
  });
}
