import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../src/kernel/root.ts";
import { isInstalled } from "./proxies.ts";

interface Patroni {
  readonly restapi: { readonly authentication: Record<string, string>; readonly certfile: string };
  readonly etcd3: { readonly protocol: string; readonly cert: string };
  readonly bootstrap: {
    readonly method: string;
    readonly dcs: Record<string, unknown> & { readonly postgresql: Record<string, unknown> };
  };
  readonly postgresql: {
    readonly pg_hba: string[];
    readonly authentication: Record<string, Record<string, string>>;
    readonly recovery_conf: Record<string, string>;
  };
}

test("a cluster lets nobody in without a password or unencrypted, waits for standbys and archives", () => {
  const filled = (name: string) => read(name).replaceAll(/@[A-Z_]+@/g, "filled");
  const patroni = parse(filled("deploy/ha/patroni.yml")) as Patroni;
  const server = filled("deploy/ha/postgresql.conf");

  expect(Object.keys(patroni.restapi.authentication)).toEqual(["username", "password"]);
  expect(patroni.restapi.certfile).toBeTruthy();
  expect([patroni.etcd3.protocol, typeof patroni.etcd3.cert]).toEqual(["https", "string"]);
  for (const line of patroni.postgresql.pg_hba) {
    expect(line).toMatch(/^(local|hostssl) /);
    expect(line).toMatch(line.startsWith("local all postgres ") ? / peer$/ : / scram-sha-256\b/);
    if (line.includes("replicator")) expect(line).toMatch(/ clientcert=verify-ca$/);
  }
  for (const how of Object.values(patroni.postgresql.authentication))
    expect(how["sslmode"]).toBe("verify-full");
  expect(patroni.bootstrap.dcs).toMatchObject({
    synchronous_mode: true,
    synchronous_mode_strict: true,
    postgresql: { use_slots: true },
  });
  // A new cluster is made empty, and not from a backup.
  expect(patroni.bootstrap.method).toBe("initdb");
  expect(patroni.postgresql.recovery_conf["restore_command"]).toContain("archive-get");
  for (const line of ["ssl = on", "archive_mode = on", "fsync = on", "full_page_writes = on"])
    expect(server.split("\n")).toContain(line);
  expect(server).toMatch(/^archive_command = '.* archive-push %p'$/m);
  expect(server).toMatch(/^max_slot_wal_keep_size = \d+GB$/m);
});

test("the certificates of a cluster are of one authority, for the names and addresses that were asked for", () => {
  if (!isInstalled("openssl")) return;
  const folder = mkdtempSync(join(tmpdir(), "cauri-deploy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const make = (...machines: string[]) =>
    execFileSync(pathOf("deploy/ha/certificates"), [folder, ...machines], { stdio: "pipe" });
  make("node1=10.0.0.1", "repository=backup.internal");
  const authority = new X509Certificate(readFileSync(join(folder, "ca.crt")));
  // A machine that comes later is known to those that were there.
  make("node2=10.0.0.2");
  for (const [name, address] of [
    ["node1", "10.0.0.1"],
    ["node2", "10.0.0.2"],
  ] as const) {
    const certificate = new X509Certificate(readFileSync(join(folder, `${name}.crt`)));
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.checkIP(address)).toBe(address);
    expect(certificate.checkHost(name)).toBe(name);
    expect(statSync(join(folder, `${name}.key`)).mode & 0o077).toBe(0);
  }
  const repository = new X509Certificate(readFileSync(join(folder, "repository.crt")));
  expect(repository.checkHost("backup.internal")).toBe("backup.internal");
  expect(repository.checkHost("evil.example")).toBeUndefined();
});

test("every script of a cluster can be run", () => {
  for (const script of ["certificates", "check-patroni", "cluster", "drill"]) {
    expect(statSync(pathOf(`deploy/ha/${script}`)).mode & 0o111).not.toBe(0);
    execFileSync("bash", ["-n", pathOf(`deploy/ha/${script}`)]);
  }
});

function pathOf(name: string): string {
  return join(packageRoot, name);
}

function read(name: string): string {
  return readFileSync(pathOf(name), "utf8");
}
