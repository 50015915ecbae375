import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { encryptionProblemOf, parseDatabaseUrl } from "./database-url.ts";

test("one server is taken as it is written, and has to be no standby", () => {
  const url = "postgres://cauri:secret@db:5432/cauri?sslmode=verify-full";

  expect(parseDatabaseUrl(url)).toEqual({
    hosts: [{ name: "db:5432", url }],
    sessionMust: "primary",
    connectTimeoutMs: undefined,
  });
});

test("several servers share everything but host and port, and have to let us write", () => {
  const address = parseDatabaseUrl("postgresql://cauri:p,w@a,[::1]:5433/cauri?sslmode=require");

  expect(address).toEqual({
    hosts: [
      { name: "a", url: "postgresql://cauri:p,w@a/cauri?sslmode=require" },
      { name: "[::1]:5433", url: "postgresql://cauri:p,w@[::1]:5433/cauri?sslmode=require" },
    ],
    sessionMust: "read-write",
    connectTimeoutMs: 1_000,
  });
});

test("what the address says of sessions and patience counts", () => {
  const read = (rest: string) => {
    const address = parseDatabaseUrl(`postgres://a,b/cauri?${rest}`);
    return [address?.sessionMust, address?.connectTimeoutMs];
  };

  expect(read("target_session_attrs=primary")).toEqual(["primary", 1_000]);
  expect(read("target_session_attrs=any&connect_timeout=3")).toEqual(["read-write", 3_000]);
  expect(parseDatabaseUrl("postgres://a/x?target_session_attrs=read-write")?.sessionMust).toBe(
    "read-write",
  );
});

test.for([
  "",
  "nonsense",
  "mysql://a/cauri",
  "postgres://a,/cauri",
  "postgres://a:x,b/cauri",
  "postgres://a,b/cauri?target_session_attrs=standby",
  "postgres://a,b/cauri?target_session_attrs=prefer-standby",
  `postgres://${Array.from({ length: 11 }, (_, place) => `h${place}`).join(",")}/cauri`,
])("%j cannot be used", (url) => {
  expect(parseDatabaseUrl(url)).toBeUndefined();
});

test.each([
  ["", undefined, undefined],
  ["?sslmode=verify-full", undefined, undefined],
  ["?sslmode=require&sslrootcert=/etc/ca.pem", undefined, undefined],
  ["?sslmode=disable", undefined, undefined],
  ["?sslmode=no-verify", undefined, "no-verify"],
  ["?sslmode=verify-full&sslmode=no-verify", undefined, "no-verify"],
  ["?uselibpqcompat=true&sslmode=require", undefined, "uselibpqcompat"],
  ["?sslmode=banana", "must have one of", "must have one of"],
  ["?sslmode=Verify-Full", "must have one of", "must have one of"],
])("encryption by %s: staging says %s, production %s", (query, staging, production) => {
  for (const hosts of ["db", "one,two:5433"])
    for (const [isProduction, expected] of [
      [false, staging],
      [true, production],
    ] as const) {
      const problem = encryptionProblemOf(
        `postgres://me:secret@${hosts}/cauri${query}`,
        isProduction,
      );
      if (expected === undefined) expect(problem).toBeUndefined();
      else expect(problem).toContain(expected);
    }
});

test("settings with such an address are refused", () => {
  const url = "postgres://me@db/cauri?sslmode=banana";
  expect(() => readConfig({ DATABASE_URL: url })).toThrow("DATABASE_URL must have one of disable");
});
