import { BlockList, isIP } from "node:net";

type Subnet = readonly [network: string, prefix: number];

/** IPv4 that leads to this machine, its neighbours, or nobody: everything that is not the public internet. */
const notPublicV4 = listOf("ipv4", [
  ["0.0.0.0", 8], // this network; Linux connects 0.0.0.0 to loopback
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carrier-grade NAT, and Alibaba's metadata service
  ["127.0.0.0", 8],
  ["168.63.129.16", 32], // looks public, but is Azure's own control service for the machine that asks
  ["169.254.0.0", 16], // link-local: the metadata service of most clouds
  ["172.16.0.0", 12],
  ["192.0.0.0", 24], // protocol assignments, and Oracle's metadata service
  ["192.0.2.0", 24],
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16],
  ["198.18.0.0", 15], // benchmarking
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, and the broadcast address
]);

/**
 * IPv6 is judged the other way round, by what is allowed: too many of its prefixes carry an IPv4 address
 * inside (compatible ::/96, NAT64 64:ff9b::/96) for a list of bad ones ever to be complete.
 */
const globalV6 = listOf("ipv6", [["2000::", 3]]);
const notPublicV6 = listOf("ipv6", [
  ["2001::", 23], // protocol assignments; Teredo, which carries an IPv4 address, is 2001::/32
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4 carries an IPv4 address
  ["3fff::", 20], // documentation
]);

/** The one form that operating systems themselves use for IPv4, so it is judged by what it carries. */
const mappedV4 = listOf("ipv6", [["::ffff:0:0", 96]]);

const loopbackV4 = listOf("ipv4", [["127.0.0.0", 8]]);
const loopbackV6 = listOf("ipv6", [["::1", 128]]);

/** True for addresses that production may connect to. Anything that is not an address is not public. */
export function isPublicAddress(address: string): boolean {
  switch (familyOf(address)) {
    case 4:
      return !notPublicV4.check(address, "ipv4");
    case 6:
      // A BlockList of IPv4 networks also judges mapped addresses.
      if (mappedV4.check(address, "ipv6")) return !notPublicV4.check(address, "ipv6");
      return globalV6.check(address, "ipv6") && !notPublicV6.check(address, "ipv6");
    default:
      return false;
  }
}

/** True for the addresses of this machine, written as IPv4, IPv6 or IPv4 mapped into IPv6. */
export function isLoopbackAddress(address: string): boolean {
  switch (familyOf(address)) {
    case 4:
      return loopbackV4.check(address, "ipv4");
    case 6:
      return loopbackV4.check(address, "ipv6") || loopbackV6.check(address, "ipv6");
    default:
      return false;
  }
}

/** An address with a zone (fe80::1%eth0) means something on one interface of this machine only. */
function familyOf(address: string): number {
  return address.includes("%") ? 0 : isIP(address);
}

function listOf(family: "ipv4" | "ipv6", subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
