import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { packageRoot } from "../../kernel/root.ts";
import { EmbeddedUnavailable } from "./errors.ts";
import { runningPostmaster, shutDown } from "./postmaster.ts";
import { startEmbedded } from "./server.ts";

const LIMIT_MS = 180_000;

/** Less memory to set up and give back, many times over; nothing about durability. */
const settings = { shared_buffers: "16MB" };

/** A stopped server's folder to copy, because creating one takes most of a test's time. */
let prepared: string;

beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), "cauri-embedded-"));
  const server = await startEmbedded({ dataDir: prepared, settings, log: () => {} });
  await server.stop();
}, LIMIT_MS);

afterAll(() => rm(prepared, { recursive: true, force: true }));

test("a fresh folder becomes a durable server on loopback only", {
  timeout: LIMIT_MS,
}, async () => {
  const dataDir = await temporaryDataDir();
  const { server, messages } = await start(dataDir);

  expect(await answer(server.url, "select current_database() || ' ' || current_user")).toBe(
    "cauri cauri",
  );
  expect(
    await answer(
      server.url,
      "select rolsuper or rolcreaterole or rolcreatedb or rolreplication from pg_roles where rolname = current_user",
    ),
  ).toBe("false");
  await expect(answer(server.url, "copy (select 1) to program 'true'")).rejects.toThrow("denied");
  await expect(answer(server.url, "select pg_read_file('PG_VERSION')")).rejects.toThrow("denied");
  for (const name of ["fsync", "full_page_writes", "synchronous_commit"]) {
    expect(await answer(server.url, `show ${name}`)).toBe("on");
  }
  expect(await answer(server.url, "show listen_addresses")).toBe("127.0.0.1");
  expect(await answer(server.adminUrl, "show unix_socket_directories")).toBe("");
  expect(await answer(server.url, "show wal_compression")).not.toBe("off");
  expect(await answer(server.url, "show timezone")).toBe("UTC");
  expect(await answer(server.url, "select 'É' < 'é' and lower('É') = 'é'")).toBe("true");

  const log = await readFile(join(dataDir, "postgres.log"), "utf8");
  for (const name of ["postgres.password", "postgres.admin-password"]) {
    expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
    const password = (await readFile(join(dataDir, name), "utf8")).trim();
    expect(Buffer.from(password, "base64url")).toHaveLength(32);
    expect(messages.join() + log).not.toContain(password);
  }
  const stranger = new URL(server.url);
  stranger.password = "guess";
  await expect(answer(stranger.href, "select 1")).rejects.toThrow("password authentication failed");
});

test("what was committed is there after stop and start, on the same port", {
  timeout: LIMIT_MS,
}, async () => {
  const dataDir = await preparedDataDir();
  const first = await start(dataDir);
  await answer(first.server.url, "create table kept as select 42 as value");
  await first.server.stop();
  await first.server.stop();
  expect(await runningPostmaster(clusterOf(dataDir))).toBeUndefined();

  const second = await start(dataDir);
  expect(second.server.url).toBe(first.server.url);
  expect(await answer(second.server.url, "select value from kept")).toBe("42");
});

test("a server whose port was taken moves to another one", { timeout: LIMIT_MS }, async () => {
  const dataDir = await preparedDataDir();
  const first = await start(dataDir);
  await first.server.stop();
  const squatter = createServer().listen(Number(new URL(first.server.url).port), "127.0.0.1");
  onTestFinished(() => void squatter.close());
  await once(squatter, "listening");

  const second = await start(dataDir);
  expect(second.server.url).not.toBe(first.server.url);
  expect(second.messages.at(-1)).toContain("was taken");
  expect(await answer(second.server.url, "select 1")).toBe("1");
});

test("stop leaves the server to another process that uses it", { timeout: LIMIT_MS }, async () => {
  const dataDir = await preparedDataDir();
  const first = await start(dataDir);
  const other = await connectFromAnotherProcess(first.server.url);
  await first.server.stop();
  expect(first.messages.at(-1)).toContain("another process is using it");
  expect(await answer(first.server.url, "select 1")).toBe("1");

  other.stdin.end();
  await once(other, "exit");
  const second = await start(dataDir);
  expect(second.server.url).toBe(first.server.url);
  await second.server.stop();
  expect(await runningPostmaster(clusterOf(dataDir))).toBeUndefined();
});

test("a supervised server comes back after kill -9 with every committed row", {
  timeout: LIMIT_MS,
}, async () => {
  const dataDir = await preparedDataDir();
  const { server, messages } = await start(dataDir);
  server.supervise();
  await answer(server.url, "create table kept (value int)");
  for (let round = 1; round <= 2; round += 1) {
    await answer(server.url, `insert into kept values (${round})`);
    await killPostmaster(dataDir);
    expect(await answerOnceBack(server.url, "select count(*)::text from kept")).toBe(`${round}`);
  }
  await expect.poll(() => messages.at(-1)).toContain("answers again");

  // Whether this stop finds the server dead, starting or ready, nothing may be left behind.
  await killPostmaster(dataDir);
  await sleep(150);
  await server.stop();
  await sleep(500);
  expect(await runningPostmaster(clusterOf(dataDir))).toBeUndefined();
});

test("the next start takes over a server whose starter is gone", {
  timeout: LIMIT_MS,
}, async () => {
  const dataDir = await preparedDataDir();
  const first = await start(dataDir);
  const before = await runningPostmaster(clusterOf(dataDir));
  await answer(first.server.url, "create table kept as select 42 as value");

  const second = await start(dataDir);
  expect(second.server.url).toBe(first.server.url);
  expect(await runningPostmaster(clusterOf(dataDir))).toEqual(before);
  expect(await answer(second.server.url, "select value from kept")).toBe("42");
});

test("two starts at once on a fresh folder end with one server", {
  timeout: LIMIT_MS,
}, async () => {
  const dataDir = await temporaryDataDir();
  const [first, second] = await Promise.all([start(dataDir), start(dataDir)]);
  expect(first.server.url).toBe(second.server.url);
  await first.server.stop();
  expect(await answer(second.server.url, "select 1")).toBe("1");
  await second.server.stop();
  expect(await runningPostmaster(clusterOf(dataDir))).toBeUndefined();
});

test("a server that cannot start says what its log says", { timeout: LIMIT_MS }, async () => {
  const dataDir = await preparedDataDir();
  const attempt = startEmbedded({ dataDir, log: () => {}, settings: { shared_buffers: "much" } });
  await expect(attempt).rejects.toThrow(EmbeddedUnavailable);
  await expect(attempt).rejects.toThrow(/shared_buffers.*DATABASE_URL/s);
});

const isLinuxRoot = process.getuid?.() === 0 && process.platform === "linux";

test.runIf(isLinuxRoot)(
  "root can keep the data below a folder closed to everybody else",
  { timeout: LIMIT_MS },
  async () => {
    const closed = await temporaryDataDir();
    await chmod(closed, 0o700);
    const { server } = await start(join(closed, "data"));
    expect(await answer(server.url, "select 1")).toBe("1");
    expect((await stat(clusterOf(join(closed, "data")))).uid).not.toBe(0);
    expect((await stat(closed)).mode & 0o777).toBe(0o700);
    await server.stop();
    expect(await runningPostmaster(clusterOf(join(closed, "data")))).toBeUndefined();
  },
);

test.runIf(isLinuxRoot)(
  "root that may not lend the privilege for that is told so in one sentence",
  { timeout: LIMIT_MS },
  async () => {
    const closed = await temporaryDataDir();
    await chmod(closed, 0o700);
    const withheld = "-dac_override,-dac_read_search";
    const { status, stderr } = spawnSync(
      "setpriv",
      [
        `--bounding-set=${withheld}`,
        process.execPath,
        join(packageRoot, "dist/src/main.js"),
        "migrate",
      ],
      { env: { ...process.env, DATA_DIR: join(closed, "data") }, encoding: "utf8" },
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^PostgreSQL refuses to run as root, .*data.*\(chmod o\+x\).*\n$/);
  },
);

async function start(dataDir: string) {
  const messages: string[] = [];
  // Registered before the server exists, so that one which only half started goes as well.
  onTestFinished(async () => {
    const left = await runningPostmaster(clusterOf(dataDir));
    if (left !== undefined) await shutDown(left.pid);
  }, LIMIT_MS);
  const server = await startEmbedded({ dataDir, settings, log: (text) => messages.push(text) });
  onTestFinished(() => server.stop(), LIMIT_MS);
  return { server, messages };
}

async function temporaryDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "cauri-embedded-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function preparedDataDir(): Promise<string> {
  const dataDir = await temporaryDataDir();
  execFileSync("cp", ["-a", `${prepared}/.`, dataDir]);
  return dataDir;
}

function clusterOf(dataDir: string): string {
  return join(dataDir, "postgres");
}

/** The single value of a query, as text. */
async function answer(url: string, sql: string): Promise<string> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
    return String(rows[0]?.[0]);
  } finally {
    await client.end();
  }
}

async function answerOnceBack(url: string, sql: string): Promise<string> {
  const deadline = Date.now() + LIMIT_MS / 2;
  for (;;) {
    try {
      return await answer(url, sql);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

async function killPostmaster(dataDir: string): Promise<void> {
  const postmaster = await runningPostmaster(clusterOf(dataDir));
  if (postmaster === undefined) throw new Error("There is no server to kill.");
  process.kill(postmaster.pid, "SIGKILL");
}

/** Holds a connection under the name of another process, until its standard input ends. */
async function connectFromAnotherProcess(url: string) {
  const program = `
    import { Client } from "pg";
    const client = new Client({
      connectionString: process.env.TEST_URL, application_name: "cauri:" + process.pid,
    });
    await client.connect();
    console.log("connected");
    process.stdin.on("end", () => client.end()).resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    env: { ...process.env, TEST_URL: url },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  await once(child.stdout, "data");
  return child;
}
