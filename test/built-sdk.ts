import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { packageRoot } from "../src/kernel/root.ts";

const folder = join(packageRoot, "sdk");

/**
 * The files of sdk/dist that are not what sdk/src makes. Programs import the SDK as it is built: one that was built from other
 * sources fails somewhere else, and says nothing of the cause.
 */
export function findStaleSdk(): string[] {
  const path = join(folder, "tsconfig.build.json");
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  // A file by itself does not know of which kind its package is.
  const module = ts.ModuleKind.ESNext;
  const compilerOptions = { ...options, module, removeComments: true, declaration: false };
  return readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .filter((name) => {
      const source = readFileSync(join(folder, "src", name), "utf8");
      const made = ts.transpileModule(source, { compilerOptions, fileName: name }).outputText;
      const built = join(folder, "dist", name.replace(/\.ts$/, ".js"));
      return !existsSync(built) || readFileSync(built, "utf8") !== made;
    });
}
