import { isIP } from "node:net";

/**
 * What limits per address count by: an IPv4 address, or the /64 of an IPv6 address, which is what one line gets and
 * holds more addresses than anybody could count one by one.
 */
export function networkOf(address: string): string {
  const plain = address.split("%", 1)[0] ?? "";
  if (isIP(plain) !== 6) return plain;
  const groups = groupsOf(plain);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped
    ? groups
        .slice(6)
        .flatMap((group) => [group >> 8, group & 0xff])
        .join(".")
    : `${groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(":")}::/64`;
}

/** The eight groups of an IPv6 address, however it was written: a URL writes all of them in one way. */
function groupsOf(address: string): number[] {
  const [left = "", right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const parse = (text: string) =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [first, last] = [parse(left), parse(right ?? "")];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}
