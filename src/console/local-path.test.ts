import { expect, test } from "vitest";
import { readLocalPath } from "./local-path.ts";

test.for([
  "/console",
  "/console/team",
  "/console/transfers?status=failed&from=2026-01-01",
  "/console/developers/webhooks/0a/deliveries/7",
  "/console?days=90",
  "/console/trail?kind=%C3%A9",
])("a page of the console is gone back to after signing in: %s", (path) => {
  expect(readLocalPath(path)).toBe(path);
});

test.for([
  "https://evil.example/console",
  "https:/console",
  "javascript:alert(1)",
  "//evil.example/console",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/console//evil.example",
  "/console\\evil.example",
  "/console\\..\\evil",
  "/console@evil.example",
  "/console/@evil.example",
  "/console/../evil",
  "/console/../../evil",
  "/console/..",
  "/console/.",
  "/console/./team",
  "/console/team/../../wallet",
  "/console/%2e%2e/evil",
  "/console/.%2e/evil",
  "/console/%2E%2E/evil",
  "/console%2f..%2fevil",
  "/consoles",
  "/wallet",
  "",
  "/",
  "console/team",
  "/console/é",
  "/console/team?a=<b>",
  "/console/team#there",
  "/console/team\nlocation: x",
  "/console/team\r\nset-cookie: a=b",
  "/console/team\n",
  "/console/\tteam",
  "\t/console",
  "/console/team\u0000",
  ` /console`,
  `/console?${"a".repeat(1_000)}`,
])("everything else is not: %j", (path) => {
  expect(readLocalPath(path)).toBeUndefined();
});
