import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { makeRunFolder } from "./test/environment/run-folder.ts";
import { SlowestFirst } from "./test/environment/slowest-first.ts";
import { TEST_MAX_MS } from "./test/environment/test-max-ms.ts";

/** Suites that take a minute or more each; `npm run check:long` adds them. */
const LONG_SUITES = [
  "packages/cli/src/commands/bad-places.test.ts",
  "proofs/kills/**",
  "proofs/nodes/rekey.test.ts",
  "test/pages/all-docs.test.ts",
];
/** They share their processes, because no module keeps state and no test leaves anything behind. */
const PURE = ["packages/{contract,core,sdk,ccxt,dashboard,stand-in}/src/**/*.test.ts"];
const SERVER = ["packages/{server,cli}/src/**/*.test.ts"];

/** Saves each new embedded database of a test PostgreSQL's `initdb`. */
const PRELOAD = `--import=${fileURLToPath(new URL("test/environment/preload.js", import.meta.url))}`;

const resolve = { conditions: ["@propgate/source"] };

export default defineConfig(({ mode }) => {
  const exclude = [...configDefaults.exclude, ...(mode === "long" ? [] : LONG_SUITES)];
  const runFolder = makeRunFolder();
  const shared = {
    testTimeout: TEST_MAX_MS,
    hookTimeout: TEST_MAX_MS,
    expect: { poll: { timeout: TEST_MAX_MS } },
    // Hundreds of tests start a program; Node compiles its files for the first of them only.
    env: {
      NODE_COMPILE_CACHE: join(tmpdir(), "propgate-compile-cache"),
      NODE_OPTIONS: PRELOAD,
      TMPDIR: runFolder,
    },
    execArgv: [PRELOAD],
  };
  const globalSetup = "./test/environment/build-pages.ts";
  const project = { resolve, ssr: { resolve } };
  return {
    ...project,
    test: {
      reporters: ["default", "./tools/totals-reporter.ts"],
      maxWorkers: 4,
      sequence: { sequencer: SlowestFirst },
      projects: [
        {
          ...project,
          test: { ...shared, name: "pure", include: PURE, exclude, isolate: false },
        },
        {
          ...project,
          test: {
            ...shared,
            name: "server",
            globalSetup,
            include: SERVER,
            exclude,
            isolate: false,
          },
        },
        {
          ...project,
          test: {
            ...shared,
            name: "service",
            globalSetup,
            include: ["packages/*/src/**/*.test.ts", "{proofs,test}/**/*.test.ts"],
            exclude: [...exclude, ...PURE, ...SERVER],
          },
        },
      ],
    },
  };
});
