import { CommanderError } from "commander";
import { sqlState } from "../database/errors.ts";
import { DomainError } from "../kernel/domain-error.ts";
import { OperatorError } from "../kernel/operator-error.ts";
import { toVisibleJson, toVisibleLines } from "../kernel/visible.ts";
import { CallFailed } from "./errors.ts";

const expected = [DomainError, OperatorError];

/** The operating system's word for a port, a permission, a name, a network or a disk that is not as it should be. */
const systemStates =
  /^E(?:ACCES|ADDRINUSE|ADDRNOTAVAIL|AI_AGAIN|CONNREFUSED|CONNRESET|DQUOT|HOSTUNREACH|NETUNREACH|NOSPC|NOTFOUND|PERM|ROFS|TIMEDOUT)$/;
/** Node.js's words for a server certificate that is not trusted. */
const certificateStates = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/;
/** PostgreSQL refuses the role or its password (28), has no such database (3D000), or denies a privilege (42501). */
const databaseStates = /^(?:28|3D000|42501)/;

/** What the program says when it fails: one message where a person can act on it, else our bug with its trace. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return toVisibleLines(String(error));
  return toVisibleLines(isActionable(error) ? error.message : (error.stack ?? error.message));
}

/** The same for a program that reads it: one JSON value with a word that does not change. */
export function describeFailureAsJson(error: unknown, advice?: string): string {
  const said =
    error instanceof CommanderError
      ? `${error.message.replace(/^error: /, "")} (--help has the options)`
      : describeFailure(error);
  const message = advice === undefined ? said : `${said} ${advice}`;
  const facts = error instanceof CallFailed ? error.facts : {};
  return toVisibleJson({ error: { code: codeOf(error), message, ...facts } });
}

export function exitCodeOf(error: unknown): number {
  return error instanceof CommanderError || error instanceof CallFailed ? error.exitCode : 1;
}

function codeOf(error: unknown): string {
  if (error instanceof DomainError || error instanceof CallFailed) return error.code;
  if (error instanceof CommanderError) return "invalid_arguments";
  if (error instanceof OperatorError)
    return error.name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  return error instanceof Error && isActionable(error) ? "unavailable" : "internal_error";
}

function isActionable(error: Error & { readonly code?: unknown }): boolean {
  if (expected.some((kind) => error instanceof kind)) return true;
  const state = sqlState(error);
  if (state !== undefined) return databaseStates.test(state);
  const code = String(error.code);
  return systemStates.test(code) || certificateStates.test(code);
}
