import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { type ArchiveHeader, newHeader, sealOf, type TableSum } from "./archive.ts";
import {
  ArchiveDamaged,
  ArchiveExists,
  ArchiveTooNew,
  BackupUnderWay,
  FolderMissing,
} from "./errors.ts";
import { readArchive } from "./read-archive.ts";
import { refuseTaken, writeArchive } from "./write-archive.ts";

const tables = {
  empty: "",
  // The first rows look like the end, like JSON and like a table; a row is what PostgreSQL escapes.
  texts: '\\\\.\t\\N\n{"sums":[]}\t.\n{"table":"empty"}\t\\\\.\\n\\\\.\\n\n',
  large: `${"é".repeat(100)}\t${"0123456789".repeat(20)}\n`.repeat(5_000),
};

test("what is written is read again, in pieces, whatever the rows look like", async () => {
  const path = await makeArchive();

  const found: Record<string, string> = {};
  const { header, sums } = await readArchive(path, {
    async take({ table }, rows) {
      const pieces: Buffer[] = [];
      for await (const piece of rows) pieces.push(piece);
      found[table] = Buffer.concat(pieces).toString();
    },
  });

  expect(found).toEqual(tables);
  expect(header.tables).toEqual(Object.keys(tables));
  expect(sums.map(({ rows }) => rows)).toEqual([0, 3, 5_000]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(existsSync(`${path}.partial`)).toBe(false);
  // Anybody can unpack it without us: the seal has no contents.
  expect(gunzipSync(await readFile(path)).toString()).toContain(tables.texts);
});

test("an archive in which any one byte was changed is refused", async () => {
  const path = await makeArchive({ texts: tables.texts });
  const whole = await readFile(path);

  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed[at] = (whole[at] ?? 0) ^ (1 << (at % 8));
    await writeFile(path, changed);
    await expect(readArchive(path), `byte ${at} of ${whole.length}`).rejects.toThrow(
      ArchiveDamaged,
    );
  }
});

test("an archive that was cut anywhere, or to which something was added, is refused", async () => {
  const path = await makeArchive({ texts: tables.texts });
  const whole = await readFile(path);

  for (const length of [
    0,
    1,
    10,
    91,
    92,
    93,
    whole.length - 93,
    whole.length - 92,
    whole.length - 1,
  ]) {
    await writeFile(path, whole.subarray(0, length));
    await expect(readArchive(path), `${length} bytes`).rejects.toThrow(ArchiveDamaged);
  }
  for (const added of [Buffer.from("x"), gzipSync("x"), whole]) {
    await writeFile(path, Buffer.concat([whole, added]));
    await expect(readArchive(path)).rejects.toThrow(ArchiveDamaged);
  }
});

test("rows that somebody has changed and sealed again are refused by their sums, and so is another form", async () => {
  const path = await makeArchive();
  const text = gunzipSync(await readFile(path)).toString();
  const reseal = (changed: string) => {
    const packed = gzipSync(changed);
    return writeFile(path, Buffer.concat([packed, sealOf(sha256(packed))]));
  };

  await reseal(text);
  await readArchive(path);
  for (const [from, to] of [
    ["0123456789\n", "012345678\n"],
    ['"large","rows":5000', '"large","rows":5001'],
    ['{"table":"texts"', '{"table":"tests"'],
    ['"format":"cauri backup"', '"format":"cauri"'],
  ] as const) {
    expect(text).toContain(from);
    await reseal(text.replace(from, to));
    await expect(readArchive(path), to).rejects.toThrow(ArchiveDamaged);
  }
  await reseal(text.replace('"version":1', '"version":2'));
  await expect(readArchive(path)).rejects.toThrow(ArchiveTooNew);
});

test("a backup replaces no file, makes no folder, and leaves nothing when it fails", async () => {
  const path = await makeArchive();
  const before = await readFile(path);

  await expect(writeArchive(path, textOf(tables))).rejects.toThrow(ArchiveExists);
  expect(await readFile(path)).toEqual(before);
  await expect(refuseTaken(`${path}/x`)).rejects.toThrow(FolderMissing);
  await expect(refuseTaken(join(path, "../none/x"))).rejects.toThrow(FolderMissing);

  const other = `${path}.other`;
  await writeFile(`${other}.partial`, "somebody else's");
  await expect(writeArchive(other, textOf(tables))).rejects.toThrow(BackupUnderWay);
  expect(await readFile(`${other}.partial`, "utf8")).toBe("somebody else's");
  await rm(`${other}.partial`);

  async function* failing() {
    yield Buffer.from("begun\n");
    throw new Error("the database went away");
  }
  await expect(writeArchive(other, failing())).rejects.toThrow("the database went away");
  expect([existsSync(other), existsSync(`${other}.partial`)]).toEqual([false, false]);
});

async function makeArchive(contents: Record<string, string> = tables): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-archive-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "backup");
  await writeArchive(path, textOf(contents));
  return path;
}

async function* textOf(contents: Record<string, string>): AsyncGenerator<Buffer> {
  const header: ArchiveHeader = newHeader({
    release: "0.1.0",
    migrations: [],
    environment: "staging",
    moment: new Date(0).toISOString(),
    snapshot: "1:1:",
    masterKeys: [],
    tables: Object.keys(contents),
  });
  const sums: TableSum[] = [];
  yield Buffer.from(`${JSON.stringify(header)}\n`);
  for (const [table, rows] of Object.entries(contents)) {
    const bytes = Buffer.from(rows);
    yield Buffer.from(`{"table":"${table}","columns":["a","b"]}\n`);
    yield bytes;
    yield Buffer.from("\\.\n");
    const count = rows.split("\n").length - 1;
    sums.push({ table, rows: count, bytes: bytes.length, sha256: sha256(bytes) });
  }
  yield Buffer.from(`${JSON.stringify({ sums })}\n`);
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
