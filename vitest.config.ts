import { registerHooks } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { DEPTH } from "./test/environment/depth.ts";
import { makeRunFolder } from "./test/environment/run-folder.ts";
import { SlowestFirst } from "./test/environment/slowest-first.ts";
import { TEST_MAX_MS } from "./test/environment/test-max-ms.ts";

/** Suites that take a minute or more each, at full depth only: `npm run check:long`. */
const LONG_SUITES = [
  "packages/cli/src/commands/bad-places.test.ts",
  "proofs/kills/**",
  "proofs/nodes/rekey.test.ts",
  // In `npm run check`, repeats/repeated-writes.test.ts tests the promise of this suite, with outages instead of kills.
  "proofs/repeats/repeats.test.ts",
  // In `npm run check`, trading/network/shown-stops.test.ts tests the promise of this suite, with engines instead of
  // processes.
  "proofs/stops/stops.test.ts",
  // In `npm run check`, test/event-streams.test.ts tests the promise of this suite, on one node.
  "proofs/streams/streams.test.ts",
  "test/pages/all-docs.test.ts",
];
const PURE = ["packages/{contract,core,sdk,ccxt,dashboard,stand-in}/src/**/*.test.ts"];
/** The tests of the pages, which share one browser. */
const PAGES = ["test/pages/**/*.test.ts"];

/** The condition under which the packages of this repository resolve to their sources. */
const SOURCE = "@propgate/source";
const imported = (file: string): string =>
  `--import=${fileURLToPath(new URL(`test/environment/${file}`, import.meta.url))}`;
/** The preload that gives a new embedded database of a test its files, so that PostgreSQL's `initdb` need not run. */
const PRELOAD = imported("preload.js");
/**
 * The Node options of the processes that tests start. Below depth 1 PGlite is not optimized in them, because most soon
 * end.
 */
const STARTED = DEPTH < 1 ? `${PRELOAD} ${imported("no-optimizer.js")}` : PRELOAD;
/**
 * The Node options of the workers. A worker runs for minutes, so PGlite is optimized in it, but inlining would cost
 * more time than it saves. The other workers use the processor's cores, so garbage collection on further threads would
 * only take longer.
 */
const WORKER = [`--conditions=${SOURCE}`, PRELOAD, "--no-wasm-inlining", "--single-threaded-gc"];

/**
 * Two workers per core: most files wait for processes that they started. Three workers per core take more processor
 * time and save none.
 */
const WORKERS = 2 * availableParallelism();

/**
 * The tests of a file run in a random order in `npm run check:long`, with the seed in the first lines of the run.
 * `PROPGATE_DEPTH=1 npx vitest run --sequence.seed N` repeats it.
 */
const sequence = { shuffle: { files: false, tests: DEPTH >= 1 } };

/**
 * Files share the processes of their project: no module keeps state except emptied databases (`kept-pglite.ts`), and no
 * test leaves anything behind.
 */
const isolate = false;

const resolve = { conditions: [SOURCE] };

/** Node loads the modules, as it does in the service; only the pages' own tests have JSX, which Node does not load. */
const experimental = { viteModuleRunner: false, nodeLoader: false };

// `globalSetup` runs in this process.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: [...context.conditions, SOURCE] }),
});

export default defineConfig(() => {
  const exclude = [...configDefaults.exclude, ...(DEPTH < 1 ? LONG_SUITES : [])];
  const runFolder = makeRunFolder();
  const shared = {
    isolate,
    testTimeout: TEST_MAX_MS,
    hookTimeout: TEST_MAX_MS,
    expect: { poll: { timeout: TEST_MAX_MS } },
    // Hundreds of tests start a program; Node compiles its files for the first of them only.
    env: {
      NODE_COMPILE_CACHE: join(tmpdir(), "propgate-compile-cache"),
      NODE_OPTIONS: STARTED,
      PYTHONDONTWRITEBYTECODE: "1",
      TMPDIR: runFolder,
    },
    execArgv: WORKER,
    setupFiles: "./test/environment/mark-output.ts",
    sequence,
  };
  const globalSetup = ["./test/environment/prepare-run.ts", "./test/environment/drop-template.ts"];
  const project = { resolve, ssr: { resolve } };
  return {
    ...project,
    test: {
      reporters: ["./tools/check-reporter.ts", "./tools/totals-reporter.ts"],
      maxWorkers: WORKERS,
      teardownTimeout: TEST_MAX_MS,
      sequence: { sequencer: SlowestFirst },
      projects: [
        {
          ...project,
          test: { ...shared, name: "pure", include: PURE, exclude },
        },
        {
          ...project,
          test: {
            ...shared,
            name: "pages",
            experimental,
            globalSetup: [...globalSetup, "./test/environment/shared-browser.ts"],
            include: PAGES,
            exclude,
          },
        },
        {
          ...project,
          test: {
            ...shared,
            name: "service",
            experimental,
            globalSetup: [...globalSetup, "./test/environment/build-programs.ts"],
            include: ["packages/*/src/**/*.test.ts", "{proofs,test}/**/*.test.ts"],
            exclude: [...exclude, ...PURE, ...PAGES],
          },
        },
      ],
    },
  };
});
