import type { App } from "../http/server.ts";

/**
 * What a form takes beside the session it is sent in. Every address that takes one says it, or the console does not start.
 *
 * - none: nothing more. Or nobody is signed in yet: then the address is the proof itself.
 * - fresh: a code, a recovery code or a passkey, given with this form or in this session within the last minutes.
 * - password: the form asks for the own password; whoever has a second factor gives that as well, as for "fresh".
 * - own: a proof for exactly this, whatever was given before.
 */
export type ProofNeeded = "none" | "fresh" | "password" | "own";

declare module "fastify" {
  interface FastifyContextConfig {
    proof?: ProofNeeded;
  }
}

/** Which proof each address takes, by its pattern. */
export type ProofTable = ReadonlyMap<string, ProofNeeded>;

const tables = new WeakMap<object, Map<string, ProofNeeded>>();

/** Of the console that is served there. */
export function proofsOf({ server }: Pick<App, "server">): ProofTable {
  return tables.get(server) ?? new Map();
}

/** Remembers what the addresses of a scope take, as they are added; answers how to stop. */
export function collectProofs(app: App): () => void {
  const table = new Map<string, ProofNeeded>();
  tables.set(app.server, table);
  let isCollecting = true;
  app.addHook("onRoute", ({ url, method, config }) => {
    if (!isCollecting || ![method].flat().includes("POST")) return;
    if (config?.proof === undefined)
      throw new Error(`POST ${url} does not say which proof it takes`);
    table.set(url, config.proof);
  });
  return () => {
    isCollecting = false;
  };
}

/** What the address of a form takes; its parameters have values. */
export function proofFor(table: ProofTable, path: string): ProofNeeded {
  const parts = path.split("?", 1)[0]?.split("/") ?? [];
  const isPath = (pattern: string) => {
    const names = pattern.split("/");
    return (
      names.length === parts.length &&
      names.every((name, index) => name.startsWith(":") || name === parts[index])
    );
  };
  // A pattern without parameters comes before one that has some.
  const exact = table.get(parts.join("/"));
  return exact ?? Array.from(table).find(([pattern]) => isPath(pattern))?.[1] ?? "none";
}
