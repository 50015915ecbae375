import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { retiringMaxMs } from "../src/http/server.ts";
import { packageRoot } from "../src/kernel/root.ts";
import { version } from "../src/kernel/version.ts";

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
      readonly build?: { readonly context: string; readonly dockerfile: string };
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
  readonly volumes: Record<string, null>;
}
const compose = parse(read("deploy/compose.yaml")) as Compose;
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
  expect(cauri?.build).toEqual({ context: "..", dockerfile: "deploy/Containerfile" });
  expect(cauri?.read_only).toBe(true);
  expect(cauri?.cap_drop).toEqual(["ALL"]);
  expect(cauri?.ports).toEqual([`127.0.0.1:${portDefault}:${portDefault}`]);
  expect(Object.keys(cauri?.depends_on ?? {})).toEqual(["database"]);
  expect(
    [cauri, database].flatMap((one) => one?.volumes.map((volume) => volume.split(":")[0])),
  ).toEqual(expect.arrayContaining(Object.keys(compose.volumes)));
});

test("every name that the files set is a setting, and what production requires is among them", () => {
  const ofNode = new Set(["NODE_ENV"]);
  const unit = read("deploy/systemd/cauri.service");
  const named = [
    Object.keys(compose.services["cauri"]?.environment ?? {}),
    namesIn(read("deploy/systemd/environment"), /^([A-Z_]+)=/gm),
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

test("proxies wait as long as the longest answer takes, and let go of a connection before the service does", () => {
  const serverIdleSeconds = retiringMaxMs / 1_000 - 3;
  const nginx = read("deploy/proxy/nginx.conf");
  const caddy = read("deploy/proxy/Caddyfile");
  const seconds = (text: string, name: string) =>
    Number(new RegExp(`^\\s*${name} (\\d+)s;?$`, "m").exec(text)?.[1]);

  expect(seconds(nginx, "keepalive_timeout")).toBeLessThan(serverIdleSeconds);
  expect(seconds(caddy, "keepalive")).toBeLessThan(serverIdleSeconds);
  // GET /v1/events waits for 30 seconds.
  expect(seconds(nginx, "proxy_read_timeout")).toBeGreaterThan(30);
  expect(seconds(caddy, "response_header_timeout")).toBeGreaterThan(30);
  for (const text of [nginx, caddy]) {
    expect(text).toContain(`127.0.0.1:${portDefault}`);
    for (const inside of ["/metrics", "/healthz", "/readyz"]) expect(text).toContain(inside);
  }
});

test("the programs that read the files take them, where they are installed", () => {
  const folder = mkdtempSync(join(tmpdir(), "cauri-deploy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let tried = 0;
  const attempt = (program: string, args: string[]) => {
    if (!isInstalled(program)) return;
    tried += 1;
    // A refusal throws, with what the program said.
    execFileSync(program, args, { stdio: "pipe", env: { ...process.env, HOME: folder } });
  };

  attempt("caddy", [
    "validate",
    "--adapter",
    "caddyfile",
    "--config",
    pathOf("deploy/proxy/Caddyfile"),
  ]);
  if (isInstalled("nginx") && isInstalled("openssl")) {
    const example = read("deploy/proxy/nginx.conf");
    // A company's requests to one process, as its comment says.
    const toOneProcess = example
      .replace("server 127.0.0.1:8080;", "")
      .replaceAll(/# (hash .*|server 127\.0\.0\.1:808[12];)/g, "$1");
    expect(toOneProcess).not.toBe(example);
    for (const text of [example, toOneProcess])
      attempt("nginx", ["-t", "-c", nginxConfiguration(folder, text)]);
  }
  attempt("bash", ["-n", pathOf("deploy/backup/drill")]);
  expect(tried).toBeGreaterThan(0);
});

test("the drill can be run, and every path that the documents name is there", () => {
  expect(statSync(pathOf("deploy/backup/drill")).mode & 0o111).not.toBe(0);
  const named = read("docs/production.md").match(/deploy\/[\w./-]*[\w]/g) ?? [];
  expect(named.length).toBeGreaterThan(5);
  expect([...new Set(named)].filter((one) => !existsSync(pathOf(one)))).toEqual([]);
});

/** The example as a whole configuration, with a certificate of its own. */
function nginxConfiguration(folder: string, example: string): string {
  mkdirSync(join(folder, "tls"), { recursive: true });
  const [certificate, key] = ["certificate.pem", "key.pem"].map((name) =>
    join(folder, "tls", name),
  );
  const subject = ["-subj", "/CN=pay.example.com", "-keyout", key ?? "", "-out", certificate ?? ""];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...subject],
    { stdio: "pipe" },
  );
  const own = example
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
    .replaceAll(/listen (\d+)/g, "listen 127.0.0.1:1$1");
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `pid ${folder}/pid; error_log stderr; events {} http { access_log off; client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c; uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;\n${own}\n}\n`,
  );
  return file;
}

function isInstalled(program: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.some((folder) => existsSync(join(folder, program)));
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name ?? "");
}

function pathOf(name: string): string {
  return join(packageRoot, name);
}

function read(name: string): string {
  return readFileSync(pathOf(name), "utf8");
}
