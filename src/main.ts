#!/usr/bin/env node
import { CommanderError } from "commander";
import { auditChecks } from "./audit-checks.ts";
import { describeFailure, describeFailureAsJson } from "./cli/describe-failure.ts";
import { buildProgram } from "./cli/program.ts";
import type { Config } from "./config.ts";
import { version } from "./kernel/version.ts";

/** The service is most of the program: short commands start twice as fast without it. */
async function serve(config: Config): Promise<void> {
  const service = await import("./serve.ts");
  await service.serve(config);
}

const asJson = process.argv.includes("--json");
try {
  await buildProgram({ version, serve, auditChecks, isSilent: asJson }).parseAsync();
} catch (error) {
  process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
  // The parser has told a person already what is wrong with the arguments; help is no failure.
  const isTold = error instanceof CommanderError && (!asJson || error.exitCode === 0);
  if (!isTold)
    process.stderr.write(`${asJson ? describeFailureAsJson(error) : describeFailure(error)}\n`);
}
