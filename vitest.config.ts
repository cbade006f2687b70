import { tmpdir } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

/** Suites that take a minute or more each; `npm run check:long` adds them. */
const LONG_SUITES = [
  "packages/cli/src/commands/bad-places.test.ts",
  "proofs/kills/**",
  "proofs/nodes/rekey.test.ts",
];
/** Tests of pure functions: they share their process, as they leave nothing behind in it. */
const PURE = ["packages/{contract,core,sdk}/src/**/*.test.ts"];

const resolve = { conditions: ["@propgate/source"] };

export default defineConfig(({ mode }) => {
  const exclude = [...configDefaults.exclude, ...(mode === "long" ? [] : LONG_SUITES)];
  const shared = {
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Hundreds of tests start a program; Node compiles its files for the first of them only.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), "propgate-compile-cache") },
  };
  const project = { resolve, ssr: { resolve } };
  return {
    ...project,
    test: {
      reporters: ["default", "./tools/totals-reporter.ts"],
      maxWorkers: 2,
      projects: [
        { ...project, test: { ...shared, name: "pure", include: PURE, exclude, isolate: false } },
        {
          ...project,
          test: {
            ...shared,
            name: "service",
            include: ["packages/*/src/**/*.test.ts", "{proofs,test}/**/*.test.ts"],
            exclude: [...exclude, ...PURE],
          },
        },
      ],
    },
  };
});
