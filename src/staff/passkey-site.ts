/** For whom an authenticator signs: the host of our public address, and the address as browsers name it. */
export interface PasskeySite {
  readonly rpId: string;
  readonly origin: string;
}

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]"]);
const isNumeric = /^[\d.]+$|^\[/;

/**
 * Passkeys belong to a name and are only used over https. A first start has neither: there browsers make an exception for
 * localhost, which is the same machine by its name. Undefined: no browser would make a passkey for this address.
 */
export function passkeySiteOf(publicUrl: string): PasskeySite | undefined {
  const url = new URL(publicUrl);
  if (loopback.has(url.hostname)) url.hostname = "localhost";
  const { protocol, hostname, origin } = url;
  const isTrusted = protocol === "https:" || hostname === "localhost";
  return isTrusted && !isNumeric.test(hostname) ? { rpId: hostname, origin } : undefined;
}
