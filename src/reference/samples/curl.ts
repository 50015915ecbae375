import { headersOf, type SampleRequest, tokenVariable } from "./sample-request.ts";

export function curlSample(request: SampleRequest): string {
  const { operation, url, body, fileName } = request;
  const parts = [
    `curl ${operation.method === "GET" ? "" : `-X ${operation.method} `}${quoted(url)}`,
    ...(operation.needsToken ? [`-H "Authorization: Bearer $${tokenVariable}"`] : []),
    ...headersOf(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body, null, 2))}`]),
    ...(fileName === undefined ? [] : [`-o ${fileName}`]),
  ];
  return parts.join(" \\\n  ");
}

/** Between single quotes a shell reads everything as it is, but for the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
