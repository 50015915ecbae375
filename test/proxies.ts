import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { packageRoot } from "../src/kernel/root.ts";
import { chooseTestPort } from "./free-port.ts";

export interface RunningProxy {
  readonly url: string;
  /** Of nginx and HAProxy: where they send people on to https. */
  readonly plainUrl?: string;
}

export const proxyNames = ["nginx", "caddy", "haproxy"] as const;

export function isInstalled(program: string): boolean {
  const folders = `${process.env["PATH"] ?? ""}:/usr/sbin`.split(":");
  return folders.some((folder) => existsSync(join(folder, program)));
}

/** On Debian, as root, a proxy that is missing is installed; elsewhere it has to be there. */
export function ensureProxies(): void {
  const missing = proxyNames.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  if (!existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0)
    throw new Error(
      `Install ${missing.join(" and ")}: the files of deploy/proxy are tried with them.`,
    );
  const packages = missing.map((name) => (name === "nginx" ? "nginx-light" : name));
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  execFileSync("apt-get", ["update"], { stdio: "ignore", env });
  execFileSync("apt-get", ["install", "-y", "--no-install-recommends", ...packages], {
    stdio: "ignore",
    env,
  });
}

/** The shipped file with its own ports and nodes, and without TLS, until the end of the test. */
export async function startProxy(
  name: (typeof proxyNames)[number],
  ...nodes: readonly URL[]
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), "cauri-proxy-"));
  const port = await chooseTestPort(2);
  const start = { nginx: startNginx, caddy: startCaddy, haproxy: startHaproxy }[name];
  const child = start(
    folder,
    port,
    nodes.map(({ host }) => host),
  );
  let said = "";
  child.stderr?.on("data", (piece: Buffer) => (said += piece.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (child.exitCode !== null || tries > 200) throw new Error(`${name} does not listen: ${said}`);
    await sleep(50);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    ...(name !== "caddy" ? { plainUrl: `http://127.0.0.1:${port + 1}` } : {}),
  };
}

function startNginx(folder: string, port: number, nodes: readonly string[]): ChildProcess {
  const own = read("deploy/proxy/nginx.conf")
    .replace("server 127.0.0.1:8080;", nodes.map((node) => `server ${node};`).join(" "))
    .replaceAll(/^\s*ssl_\w+ .*$/gm, "")
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
    .replace("listen 80;", `listen 127.0.0.1:${port + 1};`);
  return run("nginx", ["-c", nginxConfiguration(folder, own), "-g", "daemon off;"]);
}

/** The example as a whole configuration, which writes into a folder of its own. */
export function nginxConfiguration(folder: string, example: string): string {
  mkdirSync(folder, { recursive: true });
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(" ");
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? "user root;" : ""} pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths}\n${example}\n}\n`,
  );
  return file;
}

function startCaddy(folder: string, port: number, nodes: readonly string[]): ChildProcess {
  const own = read("deploy/proxy/Caddyfile")
    .replace("pay.example.com {", `http://:${port} {`)
    .replace("reverse_proxy 127.0.0.1:8080 {", `reverse_proxy ${nodes.join(" ")} {`);
  const file = join(folder, "Caddyfile");
  writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${own}`);
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return run("caddy", ["run", "--adapter", "caddyfile", "--config", file], home);
}

function startHaproxy(folder: string, port: number, nodes: readonly string[]): ChildProcess {
  const file = join(folder, "haproxy.cfg");
  const own = haproxyExample(nodes)
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace("bind :80", `bind 127.0.0.1:${port + 1}`)
    .replace("/dev/log local0", "stderr format raw local0");
  writeFileSync(file, own);
  // Without -db it would leave a process behind.
  return run("haproxy", ["-db", "-f", file]);
}

/** The example with other nodes than its two. */
function haproxyExample(nodes: readonly string[]): string {
  const text = read("deploy/proxy/haproxy.cfg");
  const lineOf = (pattern: RegExp) => pattern.exec(text)?.[0] ?? "";
  const repeated = (line: string) =>
    nodes
      .map((node, place) =>
        line.replace("node1", `node${place + 1}`).replace("10.0.0.1:8080", node),
      )
      .join("");
  return text
    .replace(/ +server node2 .*\n/, "")
    .replace(/ +server node2-unready .*\n/, "")
    .replace(/ +server node1 .*\n/, repeated(lineOf(/ +server node1 .*\n/)))
    .replace(/ +server node1-unready .*\n/, repeated(lineOf(/ +server node1-unready .*\n/)));
}

function run(program: string, args: readonly string[], environment = {}): ChildProcess {
  return spawn(program, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin`, ...environment },
  });
}

async function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function read(name: string): string {
  return readFileSync(join(packageRoot, name), "utf8");
}
