import { expect, test } from "vitest";
import { type EgressPolicy, findUrlProblem } from "./policy.ts";

const production: EgressPolicy = { environment: "production" };
const staging: EgressPolicy = { environment: "staging" };

test.each([
  "https://example.com/",
  "https://example.com./hook",
  "https://example.com:8443/hook?a=1#part",
  "https://EXAMPLE.com/%2e%2e/hook",
  "https://hooks.exämple.com/",
  "https://local.example.com/",
  "https://internal-hooks.example.com/",
  "https://mylocalhost.example/",
  "https://1.1.1.1/",
  "https://[2606:4700:4700::1111]/",
  "https://[::ffff:1.1.1.1]:8443/",
])("production may send to %s", (url) => {
  expect(findUrlProblem(url, production)).toBeUndefined();
});

test.each([
  ["http://example.com/", "The URL must begin with https://."],
  ["ftp://example.com/", "The URL must begin with https://."],
  ["javascript:alert(1)", "The URL must begin with https://."],
  ["", "The URL is not a URL; it must be a whole one, such as https://shop.example/hooks."],
  [
    "example.com/hook",
    "The URL is not a URL; it must be a whole one, such as https://shop.example/hooks.",
  ],
  ["https://", "The URL is not a URL; it must be a whole one, such as https://shop.example/hooks."],
  [
    "https://1.2.3.4.5/",
    "The URL is not a URL; it must be a whole one, such as https://shop.example/hooks.",
  ],
  [
    "https://example.com:99999/",
    "The URL is not a URL; it must be a whole one, such as https://shop.example/hooks.",
  ],
  [`https://example.com/${"a".repeat(2_048)}`, "The URL must be at most 2048 characters."],
  ["https://example.com:443\n/", "The URL must not contain spaces or control characters."],
  [" https://example.com/", "The URL must not contain spaces or control characters."],
  ["https://ann@example.com/", "The URL must not contain a user name or a password."],
  ["https://:secret@example.com/", "The URL must not contain a user name or a password."],
  ["https://example.com:80/", "The URL must use port 443 or 8443."],
  ["https://example.com:22/", "The URL must use port 443 or 8443."],
  ["https://10.0.0.1/", "The URL must lead to a public address."],
  ["https://example..com/", "The URL must have a valid host name."],
  ["https://localhost../", "The URL must have a valid host name."],
  ["https://exa$mple.com/", "The URL must have a valid host name."],
  ["https://localhost/", "The URL must have a host name of the public internet."],
  ["https://printer.local/", "The URL must have a host name of the public internet."],
  ["https://metadata.google.internal./", "The URL must have a host name of the public internet."],
])("production may not send to %s", (url, problem) => {
  expect(said(url, production)).toBe(problem);
});

test("a policy can name its own ports, in both environments", () => {
  for (const environment of ["staging", "production"] as const) {
    const policy = { environment, ports: new Set([9_443]) };
    expect(findUrlProblem("https://example.com:9443/", policy)).toBeUndefined();
    expect(said("https://example.com/", policy)).toBe("The URL must use port 9443.");
  }
});

test.each([
  "http://localhost:3000/hook",
  "http://localhost.:3000/hook",
  "http://receiver:3000/hook",
  "http://127.0.0.1/",
  "http://127.1:22/",
  "https://[::1]:9999/",
  "http://[::ffff:127.0.0.1]/",
  "http://example.com:8080/",
])("staging may also send to %s", (url) => {
  expect(findUrlProblem(url, staging)).toBeUndefined();
});

test.each([
  "http://0.0.0.0/",
  "http://10.0.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://192.168.1.1/",
  "http://[fd00:ec2::254]/",
  "http://[::]/",
  "http://[64:ff9b::7f00:1]/",
  "http://ann:secret@127.0.0.1/",
  "file:///etc/passwd",
])("staging may not send to %s either", (url) => {
  expect(said(url, staging)).toMatch(/^The URL must .*\.$/);
});

test("a private address that staging refuses is told that this machine itself is allowed, in both languages", () => {
  const problem = findUrlProblem("http://192.168.1.1/", staging);
  expect(problem?.en).toMatch(/loopback.*staging allows/);
  expect(problem?.fr).toMatch(/boucle locale.*admise en staging/);
  expect(findUrlProblem("https://192.168.1.1/", production)?.en).not.toMatch(/loopback/);
});

function said(url: string, policy: EgressPolicy): string {
  return `The URL ${findUrlProblem(url, policy)?.en}`;
}
