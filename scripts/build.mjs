// Bundles what runs into dist/: the program, and the tools that measure and torture it. Types are not checked here.
// `node scripts/build.mjs program` leaves the tools out. docs/decisions/0128 says why it is bundled, and why so.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
/** Names the files of the last build. */
const listPath = join(dist, ".files");

/** Alone in its folder, which is what a container copies. */
const program = {
  entryPoints: [
    "src/main.ts",
    "src/serve-process.ts",
    "src/processes/watch.ts",
    "src/payrolls/read-file.ts",
    "src/statements/verify/verify-thread.ts",
  ],
  outbase: "src",
  outdir: "dist/src",
};
const tools = {
  entryPoints: [
    "bench/main.ts",
    "bench/console.ts",
    "bench/export-memory.ts",
    "bench/backup.ts",
    "bench/against/processes/bare-route.ts",
    "bench/against/processes/bare-sender.ts",
    "bench/against/processes/receiver.ts",
    "torture/main.ts",
    "torture/abuse/neighbour-main.ts",
    "torture/clock/shifted-clock.ts",
    "torture/cost/prober.ts",
    "torture/history/check-file.ts",
    "scripts/dump.ts",
    "scripts/regexes/check.ts",
    "scripts/mutants/main.ts",
    "scripts/screenshots.ts",
  ],
  outbase: ".",
  outdir: "dist",
};

/** These stay in node_modules: pino starts files that lie beside it, and passkeys are seldom used. */
const leftInPlace = ["pino", "@simplewebauthn/server"];
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const parts = process.argv[2] === "program" ? [program] : [program, tools];
const files = (await Promise.all(parts.map(bundle))).flat();
write(files);
tidy(files.map(({ path }) => path));

async function bundle(part) {
  const { outputFiles } = await build({
    ...part,
    absWorkingDir: root,
    bundle: true,
    // What is imported only when it is wanted stays in files of its own.
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node20.19",
    external: [
      ...leftInPlace,
      ...Object.keys({ ...manifest.devDependencies, ...manifest.optionalDependencies }),
    ],
    // CommonJS that is bundled asks for the modules of Node.js in its own way.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    // Nobody reads them who does not ask for them (node --enable-source-maps). The sources themselves are in the checkout.
    sourcemap: "linked",
    sourcesContent: false,
    write: false,
    logLevel: "warning",
  });
  return outputFiles;
}

/** What is started comes last, and each file at once: whoever starts it meanwhile gets the one build or the other. */
function write(outputs) {
  const isChunk = ({ path }) => basename(dirname(path)) === "chunks";
  for (const { path, contents } of [
    ...outputs.filter(isChunk),
    ...outputs.filter((output) => !isChunk(output)),
  ]) {
    mkdirSync(dirname(path), { recursive: true });
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, contents);
    renameSync(unfinished, path);
  }
}

/** Removes what neither this build nor the one before it has made: what runs may still load parts of the one before. */
function tidy(paths) {
  const names = paths.map((path) => relative(dist, path));
  const before = existsSync(listPath) ? readFileSync(listPath, "utf8").split("\n") : [];
  const kept = new Set([...names, ...before]);
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(dist, path);
    if (entry.isFile() && !entry.name.startsWith(".") && !kept.has(name)) rmSync(path);
  }
  writeFileSync(listPath, names.join("\n"));
}
