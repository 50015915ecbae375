import fc from "fast-check";
import { expect, test } from "vitest";
import { isLoopbackAddress, isPublicAddress } from "./addresses.ts";

const publicAddresses = [
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "168.63.129.15",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "192.0.3.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "203.0.112.255",
  "203.0.114.0",
  "223.255.255.255",
  "2001:200::1",
  "2001:4860:4860::8888",
  "2001:db7:ffff::1",
  "2001:db9::",
  "2003::1",
  "2606:4700:4700::1111",
  "3ffe:ffff::1",
  "3fff:1000::1",
  "::ffff:1.1.1.1",
  "::ffff:101:101",
];

const otherAddresses = [
  "0.0.0.0",
  "0.255.255.255",
  "10.0.0.0",
  "10.255.255.255",
  "100.64.0.0",
  "100.100.100.200",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.255",
  "168.63.129.16",
  "169.254.0.0",
  "169.254.169.254",
  "172.16.0.0",
  "172.31.255.255",
  "192.0.0.0",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "192.168.255.255",
  "198.18.0.0",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.255",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.0",
  "255.255.255.255",
  "::",
  "::1",
  "::7f00:1",
  "::8.8.8.8",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:169.254.169.254",
  "::ffff:0:127.0.0.1",
  "0:0:0:0:0:ffff:10.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::8.8.8.8",
  "64:ff9b:1::7f00:1",
  "100::1",
  "1fff:ffff::1",
  "2001::1",
  "2001:0:7f00:1::",
  "2001:2::1",
  "2001:10::1",
  "2001:1ff:ffff::1",
  "2001:db8::1",
  "2001:0db8:0000:0000:0000:0000:0000:0001",
  "2002:7f00:1::",
  "2002:808:808::1",
  "3fff::1",
  "3fff:fff:ffff::1",
  "4000::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "2606:4700:4700::1111%eth0",
  "fec0::1",
  "ff02::1",
];

const notAddresses = ["", "localhost", "1.1.1", "01.1.1.1", "1.1.1.1.", " 1.1.1.1", "[2003::1]"];

test.each(publicAddresses)("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each(otherAddresses)("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(notAddresses)("'%s' is no address, and so not public", (text) => {
  expect(isPublicAddress(text)).toBe(false);
  expect(isLoopbackAddress(text)).toBe(false);
});

test("loopback is 127/8 and ::1, however IPv4 is written", () => {
  for (const address of ["127.0.0.1", "127.8.8.8", "::1", "0:0::1", "::ffff:127.0.0.1"]) {
    expect(isLoopbackAddress(address), address).toBe(true);
  }
  for (const address of ["0.0.0.0", "128.0.0.1", "::", "::2", "::127.0.0.1", "::ffff:10.0.0.1"]) {
    expect(isLoopbackAddress(address), address).toBe(false);
  }
});

test("every IPv4 address is judged as arithmetic on its 32 bits says", () => {
  fc.assert(
    fc.property(anyV4(), (bits) => {
      expect(isPublicAddress(toV4(bits)), toV4(bits)).toBe(isPublicV4(bits));
      expect(isPublicAddress(`::ffff:${toV4(bits)}`), toV4(bits)).toBe(isPublicV4(bits));
    }),
    { numRuns: 3_000 },
  );
});

test("every IPv6 address is judged as arithmetic on its 128 bits says", () => {
  fc.assert(
    fc.property(anyV6(), (bits) => {
      expect(isPublicAddress(toV6(bits)), toV6(bits)).toBe(isPublicV6(bits));
    }),
    { numRuns: 3_000 },
  );
});

/** Written a second time and in another way, so that a slip in one of the two is found. */
const v4Ranges: readonly (readonly [first: number, last: number])[] = [
  [0x00_00_00_00, 0x00_ff_ff_ff],
  [0x0a_00_00_00, 0x0a_ff_ff_ff],
  [0x64_40_00_00, 0x64_7f_ff_ff],
  [0x7f_00_00_00, 0x7f_ff_ff_ff],
  [0xa8_3f_81_10, 0xa8_3f_81_10],
  [0xa9_fe_00_00, 0xa9_fe_ff_ff],
  [0xac_10_00_00, 0xac_1f_ff_ff],
  [0xc0_00_00_00, 0xc0_00_00_ff],
  [0xc0_00_02_00, 0xc0_00_02_ff],
  [0xc0_58_63_00, 0xc0_58_63_ff],
  [0xc0_a8_00_00, 0xc0_a8_ff_ff],
  [0xc6_12_00_00, 0xc6_13_ff_ff],
  [0xc6_33_64_00, 0xc6_33_64_ff],
  [0xcb_00_71_00, 0xcb_00_71_ff],
  [0xe0_00_00_00, 0xff_ff_ff_ff],
];

function isPublicV4(bits: number): boolean {
  return !v4Ranges.some(([first, last]) => bits >= first && bits <= last);
}

function isPublicV6(bits: bigint): boolean {
  const top = (count: bigint) => bits >> (128n - count);
  if (top(96n) === 0xffffn) return isPublicV4(Number(bits & 0xffff_ffffn));
  return (
    top(3n) === 1n &&
    top(23n) !== 0x2001_0000n >> 9n &&
    top(32n) !== 0x2001_0db8n &&
    top(16n) !== 0x2002n &&
    top(20n) !== 0x3fff0n
  );
}

/** Half of them at the edges of the ranges, where mistakes live. */
function anyV4(): fc.Arbitrary<number> {
  const edges = v4Ranges.flatMap(([first, last]) => [first - 1, first, last, last + 1]);
  return fc.oneof(
    fc.integer({ min: 0, max: 0xffff_ffff }),
    fc.constantFrom(...edges.filter((edge) => edge >= 0 && edge <= 0xffff_ffff)),
  );
}

function anyV6(): fc.Arbitrary<bigint> {
  const max = (1n << 128n) - 1n;
  const prefixes = ["2000", "2001", "20010db8", "200101ff", "20010200", "2002", "3fff0", "3fff1"];
  return fc.oneof(
    fc.bigInt({ min: 0n, max }),
    fc
      .tuple(
        fc.constantFrom(...prefixes),
        fc.bigInt({ min: 0n, max }),
        fc.constantFrom(-1n, 0n, 1n),
      )
      .map(([prefix, rest, step]) => {
        const free = 128n - BigInt(prefix.length) * 4n;
        const first = BigInt(`0x${prefix}`) << free;
        return step === 0n ? first + (rest & ((1n << free) - 1n)) : first + step;
      }),
    anyV4().map((bits) => (0xffffn << 32n) | BigInt(bits)),
    anyV4().map((bits) => BigInt(bits)),
    anyV4().map((bits) => (0x64ff9bn << 96n) | BigInt(bits)),
  );
}

function toV4(bits: number): string {
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join(".");
}

function toV6(bits: bigint): string {
  const digits = bits.toString(16).padStart(32, "0");
  return Array.from({ length: 8 }, (_, group) => digits.slice(group * 4, group * 4 + 4)).join(":");
}
