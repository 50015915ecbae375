import type { Operation } from "../read-reference.ts";
import { curlSample } from "./curl.ts";
import { phpSample } from "./php.ts";
import { pythonSample } from "./python.ts";
import { sampleRequest } from "./sample-request.ts";
import { typescriptSample } from "./typescript.ts";

/** The languages of the samples, and how each is called. */
export const sampleLanguages = {
  curl: "curl",
  ts: "TypeScript",
  php: "PHP",
  py: "Python",
} as const;
export type SampleLanguage = keyof typeof sampleLanguages;

export type Samples = Readonly<Record<SampleLanguage, string>>;

/** How an operation is asked, in every language. */
export function samplesOf(operation: Operation, serverUrl: string): Samples {
  const request = sampleRequest(operation, serverUrl);
  return {
    curl: curlSample(request),
    ts: typescriptSample(request),
    php: phpSample(request),
    py: pythonSample(request),
  };
}
