import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@propgate/source"] },
  ssr: { resolve: { conditions: ["@propgate/source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
    reporters: ["default", "./tools/totals-reporter.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
