import { isBefore } from "./check-schema.ts";
import type { Tx } from "./database.ts";
import { sqlState } from "./errors.ts";
import type { FunctionFile, SchemaFiles } from "./schema-files.ts";
import { sql } from "./sql.ts";

/** What the database has of a file: the functions that it made, as "name(argument types)". */
interface AppliedFile {
  readonly file: string;
  readonly hash: string;
  readonly functions: readonly string[];
  /** The newest release that has applied its files; the same in every row. */
  readonly release: string;
}

/**
 * Makes the SQL functions what the files say; returns the files that were applied or have vanished. The caller
 * holds the migration lock.
 *
 * A program never puts its functions in the place of a later release's: an old node that restarts during an
 * upgrade would undo a fix under the nodes that rely on it.
 *
 * A function is replaced in place, so that calls under way on other connections always find it (dropped and made
 * anew 400 times under 10 577 calls, two of them failed: "cache lookup failed for function"; replaced in place,
 * none did). Where its new result or parameter names rule that out, all functions of the changed files are dropped
 * and made anew. What no file defines any more is dropped.
 */
export async function applyFunctions(
  tx: Tx,
  { functions: files, release }: SchemaFiles,
): Promise<string[]> {
  await ensureTable(tx);
  const applied = await readApplied(tx);
  if (applied.some((row) => isBefore(release, row.release))) return [];
  await tx.query(sql`update schema_functions set release = ${release} where release <> ${release}`);
  const hashes = new Map(applied.map(({ file, hash }) => [file, hash]));
  const changed = files.filter(({ file, hash }) => hashes.get(file) !== hash);
  const vanished = applied.filter(({ file }) => !files.some((kept) => kept.file === file));
  if (changed.length === 0 && vanished.length === 0) return [];

  const renewed = [...changed, ...vanished].map(({ file }) => file);
  const former = applied
    .filter(({ file }) => renewed.includes(file))
    .flatMap(({ functions }) => functions);
  // Functions call each other: their bodies are looked at when all of them are there.
  await tx.query(sql`set local check_function_bodies = off`);
  const made = await replaceOrRemake(tx, changed, former);
  await tx.query(sql`delete from schema_functions where file = any(${renewed})`);
  for (const { file, hash } of changed) {
    const functions = made.get(file) ?? [];
    await tx.query(sql`
      insert into schema_functions (file, hash, functions, release)
      values (${file}, ${hash}, ${functions}, ${release})`);
  }
  const current = (await readApplied(tx)).flatMap(({ functions }) => functions);
  refuseTwice(current);
  await dropFunctions(
    tx,
    former.filter((signature) => !current.includes(signature)),
  );
  await validateFunctions(tx, current);
  return renewed;
}

async function replaceOrRemake(
  tx: Tx,
  files: readonly FunctionFile[],
  former: readonly string[],
): Promise<Map<string, string[]>> {
  await tx.query(sql`savepoint replacing`);
  try {
    return await makeFunctions(tx, files);
  } catch (error) {
    if (sqlState(error) !== cannotReplace) throw error;
    await tx.query(sql`rollback to savepoint replacing`);
    await dropFunctions(tx, former);
    return makeFunctions(tx, files);
  }
}

/** invalid_function_definition: the result, a parameter's name or its default is not what it was. */
const cannotReplace = "42P13";

async function makeFunctions(
  tx: Tx,
  files: readonly FunctionFile[],
): Promise<Map<string, string[]>> {
  const made = new Map<string, string[]>();
  let before = await rowsOfFunctions(tx);
  for (const { file, text } of files) {
    await tx.query({ text, values: [] });
    const after = await rowsOfFunctions(tx);
    made.set(
      file,
      [...after.keys()].filter((signature) => after.get(signature) !== before.get(signature)),
    );
    before = after;
  }
  return made;
}

/** Every function and the place of its row in the catalog, which is another one whenever it is replaced. */
async function rowsOfFunctions(tx: Tx): Promise<Map<string, string>> {
  const rows = await tx.query<{ signature: string; place: string }>(sql`
    select oid::regprocedure::text as signature, oid::text || ctid::text as place
    from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'`);
  return new Map(rows.map(({ signature, place }) => [signature, place]));
}

async function dropFunctions(tx: Tx, signatures: readonly string[]): Promise<void> {
  const existing = await rowsOfFunctions(tx);
  // The signatures come from the catalog, which quotes what needs quotes.
  for (const signature of signatures.filter((one) => existing.has(one)))
    await tx.query({ text: `drop function ${signature}`, values: [] });
}

function refuseTwice(signatures: readonly string[]): void {
  const twice = signatures.find((signature, index) => signatures.indexOf(signature) !== index);
  if (twice !== undefined) throw new Error(`two files define the function ${twice}`);
}

/** Lets PostgreSQL compile the bodies, so that a mistake fails the upgrade and not the first request. */
async function validateFunctions(tx: Tx, signatures: readonly string[]): Promise<void> {
  await tx.query(sql`set local check_function_bodies = on`);
  await tx.query(sql`
    select case when l.lanname = 'plpgsql' then plpgsql_validator(p.oid)
      when l.lanname = 'sql' then fmgr_sql_validator(p.oid) end
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace and p.oid::regprocedure::text = any(${signatures})`);
}

async function ensureTable(tx: Tx): Promise<void> {
  await tx.query(sql`
    create table if not exists schema_functions (
      file text not null,
      hash text not null,
      functions text[] not null,
      release text not null,
      applied_at timestamptz not null default now(),
      constraint schema_functions_pk primary key (file)
    )`);
}

function readApplied(tx: Tx): Promise<AppliedFile[]> {
  return tx.query<AppliedFile>(sql`select file, hash, functions, release from schema_functions`);
}
