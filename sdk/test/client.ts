import { Cauri, type CauriOptions } from "@cauri/sdk";
import type { TestCompany, TestService } from "../../test/fixtures.ts";

/** What a request was, as it left the SDK. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** The SDK as a business uses it, and everything it has sent. */
export function clientOf(
  service: Pick<TestService, "url">,
  { accessToken }: Pick<TestCompany, "accessToken">,
  options: Partial<CauriOptions> = {},
): { readonly cauri: Cauri; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const recording: typeof fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    sent.push({
      method: init?.method ?? "GET",
      path: pathname,
      headers: new Headers(init?.headers),
      body: init?.body as string | undefined,
    });
    return fetch(input, init);
  };
  const cauri = new Cauri({
    url: service.url,
    token: accessToken,
    fetch: recording,
    ...options,
  });
  return { cauri, sent };
}

/** What a promise was rejected with; a test fails when it was not. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
}
