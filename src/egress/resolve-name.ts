import { Resolver } from "node:dns/promises";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** A first question of 2 s and a second of 4 s: less than the ten seconds of a whole attempt. */
const patience = { timeout: 2_000, tries: 2 };

/** Always this machine, by RFC 6761; name servers are not asked. */
const localNames = /^(?:.+\.)?localhost$/;
const thisMachine: readonly ResolvedAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Asks the name servers of this machine for every address, because one bad answer among good ones is reason enough to
 * refuse.
 *
 * It asks them itself. The operating system's own lookup (`dns.lookup`) occupies a thread until it is answered, and the
 * program has two for this: a company with a few names whose servers never answer would hold up the notifications of all
 * others. Here a question that waits occupies nobody. It also means that neither /etc/hosts nor a search list can lead a
 * name of a stranger to a neighbour.
 */
export async function resolveName(
  hostname: string,
  servers: readonly string[] = [],
): Promise<readonly ResolvedAddress[]> {
  // One dot at the end is the root of DNS and changes nothing.
  const name = hostname.replace(/\.$/, "");
  if (localNames.test(name)) return thisMachine;
  // A new one each time: it keeps no answers, and knows the name servers that are in use now.
  const resolver = new Resolver(patience);
  if (servers.length > 0) resolver.setServers(servers);
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  if (four.status === "rejected" && six.status === "rejected") throw four.reason;
  return [...addressesOf(four, 4), ...addressesOf(six, 6)];
}

/** A name often has addresses of one kind only. */
function addressesOf(
  answer: PromiseSettledResult<readonly string[]>,
  family: 4 | 6,
): ResolvedAddress[] {
  return answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
}
