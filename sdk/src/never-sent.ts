interface Channels {
  subscribe(name: string, hear: (message: unknown) => void): void;
}

interface Platform {
  readonly process?: { readonly getBuiltinModule?: (name: string) => Channels | undefined };
}

/** The request never left: there was nobody to give it to. */
const codes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);
const failedToConnect = new WeakSet<object>();
let isListening = false;

/**
 * Node.js tells of connections that never came to be, a TLS handshake that failed among them. The code of such an error does not:
 * somebody on the way can cause the same one after the request has left.
 */
export function listenForFailedConnections(): void {
  if (isListening) return;
  isListening = true;
  const { process } = globalThis as Platform;
  process
    ?.getBuiltinModule?.("node:diagnostics_channel")
    ?.subscribe("undici:client:connectError", (message) =>
      failedToConnect.add((message as { readonly error: object }).error),
    );
}

/** Whether what fetch failed with says for certain that nothing was sent. */
export function isNeverSent(root: Error & { readonly code?: string }): boolean {
  // A port that no fetch may ask is refused before it is tried.
  return codes.has(root.code ?? "") || failedToConnect.has(root) || root.message === "bad port";
}
