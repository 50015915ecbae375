import { configDefaults, defineConfig } from "vitest/config";

const rooms = ["src/**", "test/**", "sdk/test/**"];
/** Whole processes, every page in every shape, a cut of each campaign: what takes half a minute and more. */
const long = "**/*.long.test.ts";

/** `--mode short` is `npm test`, `--mode long` is `npm run test:long`; without a mode a run has both. */
export default defineConfig(({ mode }) => ({
  test: {
    include: rooms.map((room) => `${room}/*${mode === "long" ? ".long" : ""}.test.ts`),
    exclude: [...configDefaults.exclude, ...(mode === "short" ? [long] : [])],
    globalSetup: ["test/postgres.ts", "test/chromium.ts"],
    reporters: ["default", "./test/closing-line.ts"],
    // Machines are slow and tests use a real database; a timeout only has to catch what hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    // More than the cores of a small machine: many tests wait, for a clock or for another process.
    maxWorkers: 4,
    isolate: false,
  },
}));
