#!/usr/bin/env node
import { CommanderError } from "commander";
import { describeFailure, describeFailureAsJson, exitCodeOf } from "./cli/describe-failure.ts";
import { pointAcross } from "./cli/point-across.ts";
import { buildProgram } from "./cli/program.ts";
import type { Config } from "./config.ts";
import { version } from "./kernel/version.ts";

async function serve(config: Config): Promise<void> {
  const service = await import("./serve.ts");
  await service.serve(config);
}

const loadAuditChecks = async () => (await import("./audit-checks.ts")).auditChecks;

const asJson = process.argv.includes("--json");
const parts = { version, serve, loadAuditChecks, isSilent: asJson };
const args = process.argv.slice(2);
try {
  const program = await buildProgram(parts, args);
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
  // The parser has told a person already what is wrong with the arguments; help is no failure.
  const isTold = error instanceof CommanderError && (!asJson || error.exitCode === 0);
  const advice = await pointAcross(parts, args, error);
  if (!isTold)
    process.stderr.write(
      `${asJson ? describeFailureAsJson(error, advice) : describeFailure(error)}\n`,
    );
  if (advice !== undefined && !asJson) process.stderr.write(`${advice}\n`);
}
