#!/usr/bin/env node
import { auditChecks } from "./audit-checks.ts";
import { buildProgram } from "./cli/program.ts";
import { WrongMasterKey } from "./companies/master-key.ts";
import { type Config, InvalidConfiguration } from "./config.ts";
import { EmbeddedUnavailable } from "./database/embedded/unavailable.ts";
import { DomainError } from "./kernel/domain-error.ts";
import { OperatorError } from "./kernel/operator-error.ts";
import { version } from "./kernel/version.ts";
import { AlreadyRunning } from "./service-lock.ts";

const expected = [
  InvalidConfiguration,
  EmbeddedUnavailable,
  DomainError,
  OperatorError,
  AlreadyRunning,
  WrongMasterKey,
];

/** The service is most of the program: short commands start twice as fast without it. */
async function serve(config: Config): Promise<void> {
  const service = await import("./serve.ts");
  await service.serve(config);
}

try {
  await buildProgram({ version, serve, auditChecks }).parseAsync();
} catch (error) {
  // What a person can act on is one message; anything else is our bug, with its trace.
  const isExpected = expected.some((kind) => error instanceof kind) || hasPlainMessage(error);
  process.stderr.write(
    `${isExpected ? (error as Error).message : String((error as Error).stack ?? error)}\n`,
  );
  process.exitCode = 1;
}

/** PostgreSQL and the operating system say plainly what is wrong (a refused password, a port in use). */
function hasPlainMessage(error: unknown): boolean {
  return error instanceof Error && ("code" in error || error.cause !== undefined);
}
