import { expect, test } from "vitest";
import { parseDatabaseUrl } from "./database-url.ts";

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
