import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "sdk/test/**/*.test.ts"],
    globalSetup: ["test/postgres.ts", "test/chromium.ts"],
    reporters: ["default", "./test/closing-line.ts"],
    // Machines are slow and tests use a real database; a timeout only has to catch what hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    // More than the cores of a small machine: many tests wait, for a clock or for another process.
    maxWorkers: 3,
    isolate: false,
  },
});
