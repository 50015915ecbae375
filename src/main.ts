#!/usr/bin/env node
import { auditChecks } from "./audit-checks.ts";
import { describeFailure } from "./cli/describe-failure.ts";
import { buildProgram } from "./cli/program.ts";
import type { Config } from "./config.ts";
import { version } from "./kernel/version.ts";

/** The service is most of the program: short commands start twice as fast without it. */
async function serve(config: Config): Promise<void> {
  const service = await import("./serve.ts");
  await service.serve(config);
}

try {
  await buildProgram({ version, serve, auditChecks }).parseAsync();
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}
