import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../src/kernel/root.ts";
import { version } from "../src/kernel/version.ts";
import { secretNames } from "../src/secret-settings.ts";

const nodeMajor = 24;
const portDefault = 8_080;
/** What the service itself takes to stop. */
const stopSeconds = 10;
const settings = new Set(
  [...read("src/config.ts").matchAll(/read\s*\.\s*\w+\(\s*"([A-Z_]+)"/g)].map(([, name]) => name),
);
const requiredInProduction = /requiredInProduction = \[([^\]]+)\]/
  .exec(read("src/config.ts"))?.[1]
  ?.match(/[A-Z_]+/g) as string[];

interface Compose {
  readonly services: Record<
    string,
    {
      readonly image: string;
      readonly command?: string[];
      readonly profiles?: string[];
      readonly build?: {
        readonly context: string;
        readonly dockerfile: string;
        readonly args: Record<string, string>;
      };
      readonly secrets: string[];
      readonly mem_limit: string;
      readonly environment: Record<string, string>;
      readonly ports?: string[];
      readonly volumes: string[];
      readonly read_only?: boolean;
      readonly cap_drop?: string[];
      readonly stop_grace_period: string;
      readonly healthcheck: { readonly test: string[] };
      readonly depends_on?: Record<string, unknown>;
    }
  >;
  readonly secrets: Record<string, { readonly file: string }>;
  readonly volumes: Record<string, null>;
}
const compose = parse(read("deploy/compose.yaml"), { merge: true }) as Compose;
const container = read("deploy/Containerfile");

test("what the container copies is there, and not kept from it", () => {
  const ignored = read(".containerignore").split("\n");
  const copied = [...container.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) =>
    (sources ?? "").split(" "),
  );

  expect(copied.length).toBeGreaterThan(8);
  expect(copied.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
  expect(copied.filter((path) => !ignored.includes(`!${path}`))).toEqual([]);
});

test("the container runs the program of package.json on the Node.js of the documents, as nobody special", () => {
  const manifest = JSON.parse(read("package.json")) as { bin: { cauri: string } };

  expect(
    [...container.matchAll(/^FROM \S+node:(\d+)-/gm)].map(([, major]) => Number(major)),
  ).toEqual([nodeMajor, nodeMajor]);
  expect(read("docs/production.md")).toContain(`Node.js ${nodeMajor}`);
  expect(container).toContain(`ENTRYPOINT ["node", "${manifest.bin.cauri}"]`);
  expect(container).toMatch(/^USER node$/m);
  expect(container).toMatch(new RegExp(`^EXPOSE ${portDefault}$`, "m"));
});

test("the container's question for its health is one that the service answers", () => {
  const [, script] = /CMD \["node", "-e", "(.+)"\]/.exec(container) ?? [];

  expect(script).toContain("/healthz");
  expect(() =>
    execFileSync(process.execPath, ["--check", "-"], { input: script ?? "(" }),
  ).not.toThrow();
  expect(compose.services["cauri"]?.healthcheck.test).toEqual(["CMD", "node", "-e", script]);
});

test("compose builds this release, keeps what has to last, and gives it nothing more than it needs", () => {
  const { cauri, database } = compose.services;

  expect(cauri?.image).toBe(`localhost/cauri:${version}`);
  expect(cauri?.build).toMatchObject({ context: "..", dockerfile: "deploy/Containerfile" });
  expect(cauri?.read_only).toBe(true);
  expect(cauri?.cap_drop).toEqual(["ALL"]);
  expect(cauri?.ports).toEqual([`127.0.0.1:${portDefault}:${portDefault}`]);
  expect(Object.keys(cauri?.depends_on ?? {})).toEqual(["database"]);
  expect(
    [cauri, database].flatMap((one) => one?.volumes.map((volume) => volume.split(":")[0])),
  ).toEqual(expect.arrayContaining(Object.keys(compose.volumes)));
  for (const one of [cauri, database]) expect(one?.mem_limit).toMatch(/:-\d+g\}$/);
});

test("every image is pinned by a digest that has to be named", () => {
  const { cauri, database } = compose.services;

  expect(database?.image).toMatch(
    /^docker\.io\/library\/postgres:18-bookworm@\$\{POSTGRES_DIGEST:\?/,
  );
  expect(cauri?.build?.args["NODE_DIGEST"]).toMatch(/^\$\{NODE_DIGEST:\?/);
  const bases = [...container.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(bases.length).toBe(2);
  for (const base of bases) expect(base).toMatch(/@\$\{NODE_DIGEST\}$/);
  // Without a default an image cannot be built unpinned.
  expect(container).toMatch(/^ARG NODE_DIGEST$/m);
});

test("compose migrates as the owner of the tables and serves as another role; neither is the superuser, and secrets are files", () => {
  const { cauri, database, migrate } = compose.services;

  expect(database?.environment["POSTGRES_USER"]).toBe("postgres");
  expect(migrate).toMatchObject({
    image: cauri?.image,
    command: ["migrate"],
    profiles: ["migrate"],
  });
  const { DATABASE_URL_FILE: serving, ...servingSettings } = cauri?.environment ?? {};
  const { DATABASE_URL_FILE: migrating, ...migratingSettings } = migrate?.environment ?? {};
  expect([serving, migrating]).toEqual([
    "/run/secrets/database-url",
    "/run/secrets/owner-database-url",
  ]);
  expect(migratingSettings).toEqual(servingSettings);
  expect(cauri?.secrets.join()).not.toContain("owner");
  expect(database?.volumes.join()).toContain(
    "./postgresql/make-roles.sh:/docker-entrypoint-initdb.d/",
  );
  expect(statSync(join(packageRoot, "deploy/postgresql/make-roles.sh")).mode & 0o111).not.toBe(0);
  const used = [cauri, database, migrate].flatMap((one) => one?.secrets ?? []);
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
  // An address without a password in it may be seen.
  const hidden = secretNames.filter((name) => name !== "SMS_GATEWAY_URL");
  for (const service of [cauri, database, migrate])
    for (const [name, value] of Object.entries(service?.environment ?? {})) {
      expect(hidden, `${name} is in the environment`).not.toContain(name);
      if (name.endsWith("_FILE"))
        expect(service?.secrets.map((secret) => `/run/secrets/${secret}`)).toContain(value);
    }
});

test("systemd hands the same secrets to the service, to the audit and to the operator, and none by the environment", () => {
  const units = ["cauri.service", "cauri-audit.service", "cauri-audit-full.service"];
  const loaded = units.map((name) =>
    namesIn(
      read(`deploy/systemd/${name}`),
      /^LoadCredential=([A-Z_]+):\/etc\/cauri\/secrets\/\1$/gm,
    ),
  );
  const operator = read("deploy/systemd/cauri-operator");
  const ofOperator = /^for name in ([A-Z_ ]+); do$/m.exec(operator)?.[1]?.split(" ") ?? [];

  expect(loaded[0]?.length).toBe(4);
  expect(loaded[1]).toEqual(loaded[0]);
  expect(loaded[2]).toEqual(loaded[0]);
  expect(["DATABASE_URL", ...ofOperator]).toEqual(loaded[0]);
  for (const name of loaded[0] ?? []) {
    expect(secretNames).toContain(name);
    expect(read("docs/production.md")).toContain(name);
  }
  const plain = namesIn(read("deploy/systemd/environment"), /^([A-Z_]+)=/gm);
  expect(plain.filter((name) => loaded[0]?.includes(name))).toEqual([]);
  expect(statSync(join(packageRoot, "deploy/systemd/cauri-operator")).mode & 0o111).not.toBe(0);
  for (const script of ["deploy/systemd/cauri-operator", "deploy/postgresql/make-roles.sh"])
    execFileSync("sh", ["-n", join(packageRoot, script)]);
});

test("the operator's shell runs as the owner of the tables what makes or changes them, and nothing else", () => {
  const folder = mkdtempSync(join(tmpdir(), "cauri-operator-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // Says what it was asked for, one argument a line.
  writeFileSync(join(folder, "systemd-run"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n", { mode: 0o755 });
  const asked = (...args: string[]) =>
    execFileSync(pathOf("deploy/systemd/cauri-operator"), args, {
      encoding: "utf8",
      env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}` },
    }).split("\n");
  const url = "LoadCredential=DATABASE_URL:/etc/cauri/secrets";

  for (const command of ["migrate", "restore", "shard"])
    expect(asked(command)).toContain(`${url}/OWNER_DATABASE_URL`);
  for (const command of ["check", "audit", "company"])
    expect(asked(command)).toContain(`${url}/DATABASE_URL`);
  expect(asked("company", "create", "--name", "a b").slice(-5, -1)).toEqual([
    "company",
    "create",
    "--name",
    "a b",
  ]);
});

test("every name that the files set is a setting, and what production requires is among them", () => {
  const ofNode = new Set(["NODE_ENV"]);
  const unit = read("deploy/systemd/cauri.service");
  const named = [
    Object.keys(compose.services["cauri"]?.environment ?? {}).map((name) =>
      name.replace(/_FILE$/, ""),
    ),
    [
      ...namesIn(read("deploy/systemd/environment"), /^([A-Z_]+)=/gm),
      ...namesIn(unit, /^LoadCredential=([A-Z_]+):/gm),
    ],
    [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line]) =>
      namesIn(line ?? "", /([A-Z_]+)=/g),
    ),
    [...container.matchAll(/^ENV (.+)$/gm)].flatMap(([, line]) =>
      namesIn(line ?? "", /([A-Z_]+)=/g),
    ),
  ];

  expect(named.flat().filter((name) => !settings.has(name) && !ofNode.has(name))).toEqual([]);
  for (const names of named.slice(0, 2))
    expect(names).toEqual(expect.arrayContaining(requiredInProduction));
});

test("whoever stops the service gives it the time that it takes", () => {
  const grace = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);

  expect(Number.parseInt(compose.services["cauri"]?.stop_grace_period ?? "", 10)).toBeGreaterThan(
    stopSeconds,
  );
  expect(grace(read("deploy/systemd/cauri.service"), /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(
    stopSeconds,
  );
});

test("the drill can be run, and every path that the documents name is there", () => {
  execFileSync("bash", ["-n", pathOf("deploy/backup/drill")]);
  expect(statSync(pathOf("deploy/backup/drill")).mode & 0o111).not.toBe(0);
  const named = read("docs/production.md").match(/deploy\/[\w./-]*[\w]/g) ?? [];
  expect(named.length).toBeGreaterThan(5);
  expect([...new Set(named)].filter((one) => !existsSync(pathOf(one)))).toEqual([]);
});

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name ?? "");
}

function pathOf(name: string): string {
  return join(packageRoot, name);
}

function read(name: string): string {
  return readFileSync(pathOf(name), "utf8");
}
