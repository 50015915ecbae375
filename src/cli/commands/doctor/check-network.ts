import { lookup } from "node:dns/promises";
import { connect, isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectSecurely, type TLSSocket } from "node:tls";
import { type Check, ok, problem, skipped, warning } from "../../check.ts";
import { isOpenToOthers } from "../login.ts";

const limitMs = 5_000;
const dayMs = 86_400_000;
const certificateDaysMin = 14;

/** The name, the connection and the certificate, without asking the service anything. */
export async function checkNetwork(url: string): Promise<Check[]> {
  const { hostname, protocol, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const address = isOpenToOthers(url)
    ? warning(
        "address",
        `${url} is not encrypted`,
        "Use https, or whoever is on the way reads the token.",
      )
    : ok("address", url);
  const name = await checkName(host);
  if (name.state === "problem")
    return [address, name, skipped("connection", "there is no address to connect to")];
  const isSecure = protocol === "https:";
  const portNumber = Number(port) || (isSecure ? 443 : 80);
  return [address, name, await checkConnection(host, portNumber, isSecure)];
}

async function checkName(host: string): Promise<Check> {
  if (isIP(host) !== 0) return ok("name", `${host} is an address already`);
  const startedMs = performance.now();
  try {
    const found = await Promise.race([
      lookup(host, { all: true }),
      sleep(limitMs, undefined, { ref: false }).then(() => {
        throw new Error(`no answer within ${limitMs / 1_000} s`);
      }),
    ]);
    const addresses = found.map(({ address }) => address).join(", ");
    return ok("name", `${host} is ${addresses} (${sinceMs(startedMs)} ms)`);
  } catch (error) {
    return problem(
      "name",
      `${host} cannot be resolved: ${messageOf(error)}`,
      "Check the spelling of --url or CAURI_URL, and the name server of this machine.",
    );
  }
}

async function checkConnection(host: string, port: number, isSecure: boolean): Promise<Check> {
  const startedMs = performance.now();
  const socket = isSecure
    ? connectSecurely({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) })
    : connect({ host, port });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(isSecure ? "secureConnect" : "connect", resolve);
      socket.once("error", reject);
      socket.setTimeout(limitMs, () => reject(new Error(`no answer within ${limitMs / 1_000} s`)));
    });
    const took = `connected to port ${port} in ${sinceMs(startedMs)} ms`;
    return isSecure ? checkCertificate(socket as TLSSocket, took) : ok("connection", took);
  } catch (error) {
    return problem("connection", `port ${port}: ${messageOf(error)}`, adviceFor(error));
  } finally {
    socket.destroy();
  }
}

function checkCertificate(socket: TLSSocket, took: string): Check {
  const { valid_to: until } = socket.getPeerCertificate();
  const days = Math.floor((Date.parse(until) - Date.now()) / dayMs);
  const message = `${took}, ${socket.getProtocol() ?? "TLS"}, certificate good for ${days} days`;
  return days < certificateDaysMin
    ? warning("connection", message, "Tell the operator that the certificate is about to end.")
    : ok("connection", message);
}

function adviceFor(error: unknown): string {
  const code = String((error as NodeJS.ErrnoException).code);
  if (code === "ECONNREFUSED")
    return "Nothing listens there: is the service running, and is the port right?";
  if (code === "CERT_HAS_EXPIRED")
    return "The certificate has ended: tell the operator, or set this machine's clock.";
  if (/CERT|SIGNED|ISSUER|SSL|TLS|SIGNATURE/.test(code))
    return "The certificate is not trusted here. For one of your own, name it in NODE_EXTRA_CA_CERTS.";
  if (code === "ECONNRESET" || code.startsWith("EPROTO"))
    return "What listens there does not speak TLS: is it http instead of https?";
  return "Is a firewall between this machine and the service?";
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0] !== undefined)
    return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

function sinceMs(startedMs: number): number {
  return Math.round(performance.now() - startedMs);
}
