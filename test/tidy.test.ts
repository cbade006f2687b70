import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import {
  filesBelow,
  importsOf,
  isTestSupport,
  productSources,
  ROOMS,
  readText,
} from "./source-tree.ts";

/** The packages of this repository that a room may import. */
function packagesBelow(room: (typeof ROOMS)[number]): readonly string[] {
  const left = ROOMS.slice(0, ROOMS.indexOf(room));
  return ["contract", "core", ...left].map((name) => `@propgate/${name}`);
}

/**
 * The packages that each package may import; `node:` stands for Node's modules. The compiler does not check this,
 * because workspaces link all packages.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  core: [],
  base: [...packagesBelow("base"), "node:", "@nats-io/transport-node", "pino"],
  ledger: [...packagesBelow("ledger"), "node:", "@electric-sql/pglite", "pg", "zod"],
  access: [...packagesBelow("access"), "node:", "@simplewebauthn/server"],
  market: [...packagesBelow("market"), "node:", "ccxt", "ws", "zod"],
  cluster: [...packagesBelow("cluster"), "node:", "zod"],
  wire: [...packagesBelow("wire"), "node:"],
  push: [...packagesBelow("push"), "node:", "ipaddr.js"],
  vanta: [...packagesBelow("vanta"), "node:", "cockatiel"],
  server: [
    ...packagesBelow("server"),
    "node:",
    "@opentelemetry",
    "@prometheus-io/client",
    "fastify",
    "zod",
  ],
  sdk: ["@propgate/contract"],
  operator: ["@propgate/contract", "@propgate/sdk"],
  ccxt: ["@propgate/contract", "@propgate/sdk", "node:crypto", "ccxt"],
  dashboard: [
    "@propgate/contract",
    // The pages may import values of core only in `CORE_IN_PAGES`: the browser decides a journal again with the code
    // that decided it first.
    "@propgate/core",
    "@propgate/sdk",
    "@base-ui/react",
    "@noble/hashes",
    "@simplewebauthn/browser",
    "@tanstack/react-query",
    "@tanstack/react-router",
    "lightweight-charts",
    "react",
    "react-dom",
  ],
  "stand-in": ["node:"],
  cli: [
    "@propgate/contract",
    "@propgate/operator",
    "@propgate/sdk",
    "@propgate/server",
    "@propgate/stand-in",
    "node:",
    "@clack/prompts",
    "@modelcontextprotocol/server",
    "commander",
  ],
};

/**
 * The only file of the pages that may import values of core. It is a script of its own, which pages load only when they
 * need it.
 */
const CORE_IN_PAGES = "packages/dashboard/src/pages/journal/judge/judge-journal.ts";

/**
 * The folders of core. A file imports only from its own folder and the folders before it in this list, without
 * exception.
 */
const CORE_FOLDERS: readonly string[] = [
  "time",
  "market",
  "state",
  "evolve",
  "pending",
  "positions",
  "orders",
  "account",
  "rules",
  "challenge",
  "payouts",
  "pro",
  "snapshot",
  "network",
  "journal",
];

const BANNED_WORDS: readonly {
  readonly pattern: RegExp;
  readonly only: readonly string[];
  readonly instead: string;
}[] = [
  {
    pattern: /\bMath\.random\b/,
    only: [],
    instead: "take a Chance (base/src/random.ts)",
  },
  {
    pattern: /\b(randomBytes|randomUUID|randomInt|randomFill(Sync)?|getRandomValues)\b/,
    only: ["packages/base/src/random.ts", "packages/sdk/src/random.ts"],
    instead: "take a Chance (base/src/random.ts)",
  },
  {
    // A `Date` with an argument formats a moment; one without an argument reads the clock.
    pattern: /\bDate\.now\b|(?<!\.)\bDate\(\)|new Date\b(?!\()/,
    only: [
      "packages/cli/src/main.ts",
      "packages/dashboard/src/clock.tsx",
      "packages/sdk/src/clock.ts",
      "packages/base/src/clock.ts",
      "packages/stand-in/src/clock.ts",
    ],
    instead: "take a Clock (base/src/clock.ts)",
  },
  {
    pattern: /\bperformance\.(now|timeOrigin)\b|\bhrtime\b|\bprocess\.uptime\b|\bTemporal\.Now\b/,
    only: ["packages/sdk/src/clock.ts", "packages/base/src/clock.ts"],
    instead: "take a Clock or a Stopwatch (base/src/clock.ts)",
  },
  {
    // These files wait for something other than the market's or the sandbox's time, such as sockets, locks and retries.
    pattern: /\bset(Timeout|Interval|Immediate)\(|\btimers\/promises\b|\bAbortSignal\.timeout\b/,
    only: [
      "packages/cli/src/main.ts",
      "packages/cli/src/mcp/order-figures.ts",
      "packages/cli/src/mcp/start-equity.ts",
      "packages/cli/src/trading/prepared-request.ts",
      "packages/dashboard/src/clock.tsx",
      "packages/dashboard/src/frame/route-failed.tsx",
      "packages/dashboard/src/frame/served-entry.ts",
      "packages/dashboard/src/lazy-pages.ts",
      "packages/dashboard/src/live/follow-account.ts",
      "packages/sdk/src/deadline.ts",
      "packages/sdk/src/retry.ts",
      "packages/server/src/api/edge/connection-limit.ts",
      "packages/server/src/api/send-answer.ts",
      "packages/base/src/clock.ts",
      "packages/base/src/micro-batcher.ts",
      "packages/market/src/prices/ticker.ts",
      "packages/ledger/src/storage/databases/pglite-database.ts",
      "packages/stand-in/src/clock.ts",
    ],
    instead: "take a Timer (base/src/clock.ts) or a Ticker (market/src/prices/ticker.ts)",
  },
  {
    pattern: /\bprocess\.env\b|import [^;]*\benv\b[^;]*from "node:process"/,
    only: ["packages/base/src/config.ts", "packages/cli/src/main.ts"],
    instead: "add a row to SETTINGS (base/src/config.ts)",
  },
  {
    pattern: /@ts-ignore|@ts-expect-error|biome-ignore|oxlint-disable|eslint-disable/,
    only: [],
    instead: "fix the finding",
  },
  { pattern: /\b(TODO|FIXME|XXX)\b/, only: [], instead: "do it now, or document the gap" },
];

/**
 * Banned forms of waiting. A test has no timeout of its own, because a busy machine is a dozen times slower than an
 * idle one. A wait must report its last failure when it is ended.
 */
const BANNED_WAITS: readonly {
  readonly pattern: RegExp;
  readonly only: readonly string[];
  readonly instead: string;
}[] = [
  {
    pattern:
      /^( *)(test|it|(before|after)(All|Each))\b[^\n]*(\n|\n\1 [^\n]*)*(\n\1\}, \w+|\n\1 {2}\d[\d_]*,\n\1)\);$/m,
    only: [],
    instead:
      "leave out the time: TEST_MAX_MS (test/environment/test-max-ms.ts) ends all tests and hooks",
  },
  {
    pattern: /\b(test|hook)?[tT]imeout: [1-9][\d_]{2,}|\bsetDefault\w*Timeout\((?!TEST_MAX_MS\))/,
    // This is the timeout of a call of ccxt. It ends with a fault that is tested.
    only: ["packages/ccxt/src/orders/place.test.ts"],
    instead: "use TEST_MAX_MS (test/environment/test-max-ms.ts)",
  },
  {
    pattern: /\bvi\.wait(For|Until)\(|\bexpect\s*\.poll\(/,
    only: [],
    instead: "use eventually (test/eventually.ts)",
  },
  {
    pattern:
      /\b(while \(.*\)|for \(;;\)( \{[^}]*)?) await (new Promise|setTimeout|sleep|pause|wait)\b|\bfor \(;;\) \{[^}]*\bawait (new Promise\(\(\w+\) => setTimeout|setTimeout|sleep|pause|wait)\(/,
    // These proofs also run outside of the test runner.
    only: [
      "proofs/failover/client-load.ts",
      "proofs/faults/order-load.ts",
      "proofs/kills/kill-under-load.ts",
      "proofs/streams/run-streams.ts",
    ],
    instead: "use until or eventually (test/eventually.ts)",
  },
];

/**
 * Banned expectations of time. No test may need the machine to do something within some milliseconds, because the
 * machine may pause at any moment.
 */
const BANNED_WINDOWS: readonly {
  readonly pattern: RegExp;
  readonly only: readonly string[];
  readonly instead: string;
}[] = [
  {
    pattern:
      /\bawait (setTimeout|sleep|pause)\(|\bnew Promise(<\w+>)?\(\((\w+)\) => setTimeout\(\3, /,
    // These files pace a client, or stop a process for longer than a lease.
    only: [
      "packages/server/src/start/nodes/start-together.test.ts",
      "proofs/nodes/feed.test.ts",
      "proofs/nodes/partitions.test.ts",
      "proofs/nodes/stopped-node.test.ts",
      "proofs/nodes/two-databases.test.ts",
      "test/e2e/replayed-stop.test.ts",
    ],
    instead: "wait for a condition (test/eventually.ts), or move a held clock (manual-time.ts)",
  },
  {
    pattern: /\b(performance|Date)\.now\(\)[^;]*\)\s*\.toBeLess/,
    // This file compares the clock of a service with that of its own process, which may be minutes apart.
    only: ["test/sdk-pages.test.ts"],
    instead: "hold what must not be waited for; TEST_MAX_MS ends a test that waits for it",
  },
  {
    pattern: /\bkind: "slow"/,
    only: ["packages/stand-in/src/faults.test.ts"],
    instead: "hold the call with the fault `held`, and let it go on with `release`",
  },
  {
    pattern: /\blet (\w+)\b.*\bafter(All|Each)\(\(\) => \1\.(stop|close|end)\(/s,
    only: [],
    instead: "return it from `beforeAll`: after a failed start the hook itself would fail",
  },
];

const BANNED_NAMES = /\/(utils|helpers|common|misc|types|constants)\.[a-z]+$/;

const sources = productSources();
/** The tests and their support. This file is left out, because it has examples of what it bans. */
const filesThatMayWait = [
  ...filesBelow("packages").filter(isTestSupport),
  ...["proofs", "test"].flatMap(filesBelow),
].filter((path) => /\.tsx?$/.test(path) && path !== "test/tidy.test.ts");
const testFiles = filesThatMayWait.filter((path) => /\.test\.tsx?$/.test(path));
const CORE = "packages/core/src/";
/** The folders that have tests. */
const TESTED_FOLDERS = ["packages", "proofs", "test"] as const;
const STORAGE = /^packages\/[a-z]+\/src\/storage\//;
const packageOf = (path: string): string => path.split("/")[1] ?? "";

describe("tidy", () => {
  test("the house has sources to check", () => {
    expect(sources.length).toBeGreaterThan(50);
  });

  test("a package imports only what its layer allows", () => {
    const wrong = sources.flatMap((path) => {
      const allowed = LAYERS[packageOf(path)] ?? [];
      return importsOf(readText(path))
        .filter((name) => !name.startsWith("."))
        .filter((name) => !allowed.some((prefix) => isWithin(name, prefix)))
        .map((name) => `${path} imports ${name}`);
    });
    expect(wrong).toEqual([]);
  });

  test("the picture of the packages has each of them and nothing else", () => {
    const picture = readText("docs/pictures/packages.svg");
    const names = [...picture.matchAll(/<text x="\d+" y="\d+">([^<]+)<\/text>/g)];
    const packages = new Set(filesBelow("packages").map(packageOf));
    expect(names.map(([, name]) => name).toSorted()).toEqual([...packages].toSorted());
  });

  test("one file of the pages imports values of core, and no page imports that file before it is needed", () => {
    const inPages = sources.filter((path) => path.startsWith("packages/dashboard/"));
    const value = /^import (?!type )[^;]*"@propgate\/core"/m;
    const importsCore = inPages.filter((path) => value.test(readText(path)));
    expect(importsCore).toEqual([CORE_IN_PAGES]);
    const early = /^import (?!type )[^;]*"\.\/judge-journal\.ts"/m;
    expect(inPages.filter((path) => early.test(readText(path)))).toEqual([]);
  });

  test("a folder of core imports only itself and the folders to its left", () => {
    const wrong = sources
      .filter((path) => path.startsWith(CORE) && path !== `${CORE}index.ts`)
      .flatMap((path) => {
        const own = coreRank(path);
        return importsOf(readText(path))
          .map((name) => normalize(join(dirname(path), name)))
          .filter((target) => coreRank(target) > own)
          .map((target) => `${path} imports ${target}`);
      });
    expect(wrong).toEqual([]);
  });

  test("every file of core is in a folder that has a rank", () => {
    const outside = sources
      .filter((path) => path.startsWith(CORE))
      .filter((path) => path.split("/").length > 4 && coreRank(path) === -1);
    expect(outside).toEqual([]);
  });

  test("a package is imported through its face, by its name", () => {
    const wrong = sources.flatMap((path) =>
      importsOf(readText(path))
        .filter((name) =>
          name.startsWith(".")
            ? packageOf(normalize(join(dirname(path), name))) !== packageOf(path)
            : /^@propgate\/[^/]+\//.test(name),
        )
        .map((name) => `${path} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test("SQL is in the folders storage/ of the rooms only", () => {
    const sql = /[`"]\s*(select\s.+\sfrom|insert into|update \w+ set|delete from|with \w+ as) /;
    const wrong = sources
      .filter((path) => ROOMS.some((room) => room === packageOf(path)) && !STORAGE.test(path))
      .filter((path) => sql.test(readText(path)) || /\.query[(<]/.test(readText(path)));
    expect(wrong).toEqual([]);
  });

  test.each(BANNED_WORDS)("no source matches $pattern: $instead", ({ pattern, only }) => {
    const wrong = sources.filter((path) => !only.includes(path) && pattern.test(readText(path)));
    expect(wrong).toEqual([]);
  });

  test.each([
    "const at = Date.now();",
    "const clock = Date.now;",
    "const at = new Date();",
    "const at = new Date;",
    "const text = Date();",
    "const at = performance.now();",
    "const at = process.hrtime.bigint();",
    "const chance = Math.random();",
    "const id = crypto.randomUUID();",
    'import { randomBytes as bytes } from "node:crypto";',
    "crypto.getRandomValues(array);",
    "setTimeout(done, 5);",
    'import { setTimeout as wait } from "node:timers/promises";',
    "const signal = AbortSignal.timeout(5);",
    "const port = process.env.PORT;",
    'import process, { env } from "node:process";',
  ])("the banned words match %s", (line) => {
    expect(BANNED_WORDS.some(({ pattern }) => pattern.test(line))).toBe(true);
  });

  test.each([
    "const text = new Date(atMs).toISOString();",
    "clock.now()",
    "const { updateDate } = it;",
    "clearTimeout(timer)",
    "function resetTimeout() {}",
  ])("the banned words do not match %s", (line) => {
    expect(BANNED_WORDS.filter(({ pattern }) => pattern.test(line))).toEqual([]);
  });

  test.each(BANNED_WAITS)("no test has $pattern: $instead", ({ pattern, only }) => {
    expect(
      filesThatMayWait.filter((path) => !only.includes(path) && pattern.test(readText(path))),
    ).toEqual([]);
  });

  test.each([
    'test("is so", async () => {\n  await it();\n}, 60_000);',
    "  beforeAll(async () => {\n    await it();\n\n    await it();\n  }, START_MAX_MS);",
    'test(\n  "is so",\n  async () => {\n    await it();\n  },\n  60_000,\n);',
    'test("is so", { timeout: 60_000 }, it);',
    "await page.click(button, { timeout: 5_000 });",
    "page.setDefaultTimeout(5_000);",
    "page.setDefaultNavigationTimeout(LONG_MS);",
    "vi.setConfig({ testTimeout: 60_000 });",
    "await expect.poll(count).toBe(1);",
    "await expect\n      .poll(count)\n      .toBe(1);",
    "await vi.waitFor(() => expect(count()).toBe(1));",
    "while (!(await isSo())) await setTimeout(50);",
    "while (count() < 2) await new Promise((done) => setTimeout(done, 50));",
    "for (;;) {\n    if (await isSo()) return;\n    await pause(50);\n  }",
  ])("the banned waits match %j", (text) => {
    expect(BANNED_WAITS.some(({ pattern }) => pattern.test(text))).toBe(true);
  });

  test.each([
    'test("is so", async () => {\n  await it();\n});',
    'test("is so", async () => {\n  setTimeout(() => {\n    it();\n  }, 50);\n});',
    'test.each([\n  1,\n  2,\n])("is so with %d", async (count) => {\n  await it(count);\n});',
    "page.setDefaultTimeout(TEST_MAX_MS);",
    "await page.click(button, { timeout: TEST_MAX_MS });",
    "const score = { killed: 9, timeout: 0 };",
    "while (isOn) {\n    await push();\n    await setTimeout(50);\n  }",
    "await until(() => count() === 2);",
  ])("the banned waits do not match %j", (text) => {
    expect(BANNED_WAITS.filter(({ pattern }) => pattern.test(text))).toEqual([]);
  });

  test.each(BANNED_WINDOWS)("no test file has $pattern: $instead", ({ pattern, only }) => {
    const wrong = testFiles.filter((path) => !only.includes(path) && pattern.test(readText(path)));
    expect(wrong).toEqual([]);
  });

  test.each([
    "await setTimeout(200);",
    "await new Promise((resolve) => setTimeout(resolve, 2 * CALL_MS));",
    "const turn = () => new Promise<void>((done) => setTimeout(done, 20));",
    "expect(performance.now() - beganMs).toBeLessThan(5_000);",
    "expect(\n      Date.now() - beganMs,\n    ).toBeLessThanOrEqual(5_000);",
    'await standIn.control.addFault({ call: "submit", fault: { kind: "slow", afterMs: 300 } });',
    "let service: Harness;\nbeforeAll(async () => {\n  service = await openHarness();\n});\nafterAll(() => service.close());",
  ])("the banned windows match %j", (text) => {
    expect(BANNED_WINDOWS.some(({ pattern }) => pattern.test(text))).toBe(true);
  });

  test.each([
    "await time.pass(200);",
    "setTimeout(() => socket.write(answer), 300);",
    "expect(performance.now() - started).toBeGreaterThanOrEqual(1_000);",
    "expect(clock.now() - beganAtMs).toBeLessThan(5_000);",
    'await standIn.control.addFault({ call: "submit", fault: { kind: "held", when: "after" } });',
    "let service: Harness;\nafterAll(() => service?.close());",
    "const watched = await open();\nlet count = 0;\nafterAll(() => watched.close());",
  ])("the banned windows do not match %j", (text) => {
    expect(BANNED_WINDOWS.filter(({ pattern }) => pattern.test(text))).toEqual([]);
  });

  test("every advisory lock has a number of its own, so that none waits for another", () => {
    const locks = sources.flatMap((path) =>
      [...readText(path).matchAll(/_LOCK = (\d[\d_]*);/g)].map(([, number = ""]) => number),
    );
    expect(locks.length).toBeGreaterThan(10);
    expect(locks.filter((number, at) => locks.indexOf(number) !== at)).toEqual([]);
  });

  test("every file that may use a banned word uses it", () => {
    const lists = [
      [BANNED_WORDS, sources],
      [BANNED_WINDOWS, testFiles],
    ] as const;
    const idle = lists.flatMap(([rules, files]) =>
      rules.flatMap(({ pattern, only }) =>
        only.filter((path) => !files.includes(path) || !pattern.test(readText(path))),
      ),
    );
    expect(idle).toEqual([]);
  });

  test("no line of a comment is longer than 120, but for examples", () => {
    const long = [...sources, ...filesThatMayWait].flatMap((path) =>
      readText(path)
        .split("\n")
        .filter((line) => line.length > 120 && /^ *(\/\*\*|\*|\/\/) \S/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(long).toEqual([]);
  });

  test("no file has a name that says nothing", () => {
    const everything = [...TESTED_FOLDERS, "tools"].flatMap(filesBelow);
    expect(everything.filter((path) => BANNED_NAMES.test(path))).toEqual([]);
    const indexes = everything.filter((path) => /\/index\.tsx?$/.test(path));
    expect(indexes.filter((path) => !/^packages\/[a-z-]+\/src\/index\.ts$/.test(path))).toEqual([]);
  });

  test("every source is imported by another or starts a program", () => {
    const imported = new Set(
      [...sources, ...["bench", "proofs", "test", "tools"].flatMap(filesBelow)]
        .filter((path) => /\.tsx?$/.test(path))
        .flatMap((path) =>
          importsOf(readText(path)).map((name) => normalize(join(dirname(path), name))),
        ),
    );
    const entries = /\/src\/(index|main)\.tsx?$|-worker\.ts$/;
    const dead = sources.filter((path) => !imported.has(path) && !entries.test(path));
    expect(dead).toEqual([]);
  });

  test("tests may not be skipped, narrowed or kept in order by hand", () => {
    const tests = TESTED_FOLDERS.flatMap(filesBelow).filter(isTestSupport);
    const narrowed =
      /\b(test|it|describe)\.(only|todo)\b|\b(test|it|describe)\.skip\(|\bshuffle: false\b/;
    expect(tests.filter((path) => narrowed.test(readText(path)))).toEqual([]);
  });
});

function isWithin(name: string, prefix: string): boolean {
  return prefix.endsWith(":")
    ? name.startsWith(prefix)
    : name === prefix || name.startsWith(`${prefix}/`);
}

/**
 * The index of a file's folder in `CORE_FOLDERS`. It is -1 for the files at the root of core, which all folders may
 * import.
 */
function coreRank(path: string): number {
  const [, folder = ""] = /^packages\/core\/src\/([^/]+)\//.exec(path) ?? [];
  return CORE_FOLDERS.indexOf(folder);
}
