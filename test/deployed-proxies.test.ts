import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { retiringMaxMs } from "../src/http/server.ts";
import { packageRoot } from "../src/kernel/root.ts";
import { isInstalled, nginxConfiguration } from "./proxies.ts";

const portDefault = 8_080;

test("proxies wait as long as the longest answer takes, and let go of a connection before the service does", () => {
  const serverIdleSeconds = retiringMaxMs / 1_000 - 3;
  const nginx = read("deploy/proxy/nginx.conf");
  const caddy = read("deploy/proxy/Caddyfile");
  const haproxy = read("deploy/proxy/haproxy.cfg");
  const seconds = (text: string, name: string) =>
    Number(new RegExp(`^\\s*${name} (\\d+)s;?$`, "m").exec(text)?.[1]);

  expect(seconds(nginx, "keepalive_timeout")).toBeLessThan(serverIdleSeconds);
  expect(seconds(caddy, "keepalive")).toBeLessThan(serverIdleSeconds);
  expect(seconds(haproxy, "timeout http-keep-alive")).toBeLessThan(serverIdleSeconds);
  // Otherwise its time is not that of one caller's connection.
  expect(haproxy).toMatch(/^ +http-reuse never$/m);
  // GET /v1/events waits for 30 seconds.
  expect(seconds(haproxy, "timeout server")).toBeGreaterThan(30);
  expect(seconds(nginx, "proxy_read_timeout")).toBeGreaterThan(30);
  expect(seconds(caddy, "response_header_timeout")).toBeGreaterThan(30);
  for (const text of [nginx, caddy, haproxy]) {
    expect(text).toMatch(new RegExp(`(127|10)\\.0\\.0\\.1:${portDefault}`));
    // test/proxies.test.ts tries them in every form.
    expect(text).toContain("metrics|healthz|readyz");
  }
});

test("proxies ask whether a node is ready, and send nothing again that may have been done", () => {
  const haproxy = read("deploy/proxy/haproxy.cfg");
  const caddy = read("deploy/proxy/Caddyfile");
  const nginx = read("deploy/proxy/nginx.conf");

  expect(haproxy).toMatch(/^ +option httpchk GET \/readyz$/m);
  expect(haproxy).toMatch(/^ +default-server check .*on-marked-down shutdown-sessions$/m);
  expect(caddy).toMatch(/^\t+health_uri \/readyz$/m);
  expect([...haproxy.matchAll(/^ +retry-on (.*)$/gm)].map(([, what]) => what)).toEqual([
    "conn-failure",
  ]);
  expect(caddy).not.toMatch(/^\t+lb_retry_match/m);
  expect(nginx).toMatch(/^ +proxy_next_upstream error timeout;$/m);
  // What a proxy answers by itself is no refusal: a client that knows the API does not take it for one.
  for (const text of [haproxy, caddy, nginx]) {
    const bodies = [...text.matchAll(/\{"statusCode":50\d.*?\}/g)].map(
      ([body]) => JSON.parse(body) as { code: string; message: string; error: string },
    );
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) expect(body.code).toBe("outcome_unknown");
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
    execFileSync(program, args, {
      stdio: "pipe",
      env: { ...process.env, HOME: folder, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` },
    });
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
      attempt("nginx", ["-t", "-c", nginxConfiguration(folder, withCertificate(folder, text))]);
  }
  if (isInstalled("haproxy") && isInstalled("openssl")) {
    withCertificate(folder, "");
    const both = ["certificate.pem", "key.pem"].map((name) =>
      readFileSync(join(folder, "tls", name)),
    );
    writeFileSync(join(folder, "both.pem"), Buffer.concat(both));
    const file = join(folder, "haproxy.cfg");
    const example = read("deploy/proxy/haproxy.cfg");
    writeFileSync(file, example.replace(/crt \S+/, `crt ${join(folder, "both.pem")}`));
    attempt("haproxy", ["-c", "-f", file]);
  }
  expect(tried).toBeGreaterThan(0);
});

/** The example with a certificate of its own. */
function withCertificate(folder: string, example: string): string {
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
  return example
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
    .replaceAll(/listen (\d+)/g, "listen 127.0.0.1:1$1");
}

function pathOf(name: string): string {
  return join(packageRoot, name);
}

function read(name: string): string {
  return readFileSync(pathOf(name), "utf8");
}
