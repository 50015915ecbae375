import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { packageRoot } from "./root.ts";

const run = promisify(execFile);

async function logging(code: string): Promise<{ stdout: string; code?: number }> {
  const contents = `import { createLogger } from "./src/kernel/logger.ts";
    const logger = createLogger({ level: "info", fileDescriptor: 1 });
    ${code}`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: packageRoot },
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    write: false,
  });
  const program = outputFiles[0]?.text ?? "";
  return run(process.execPath, ["--input-type=module", "-e", program], { cwd: packageRoot }).catch(
    (error) => error,
  );
}

const messagesIn = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { readonly msg: string }).msg);

test("every line is written, in order, by a process that comes to its end", async () => {
  const { stdout } = await logging("for (let i = 0; i < 5000; i += 1) logger.info(`line ${i}`);");

  expect(messagesIn(stdout)).toEqual(Array.from({ length: 5_000 }, (_, i) => `line ${i}`));
});

test("lines gathered so far are written by a process that exits at once, or breaks", async () => {
  const exited = await logging(`logger.info("last words"); process.exit(3);`);
  expect(messagesIn(exited.stdout)).toEqual(["last words"]);
  expect(exited.code).toBe(3);

  const broken = await logging(`logger.info("last words"); throw new Error("broken");`);
  expect(messagesIn(broken.stdout)).toEqual(["last words"]);
});
