import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { filesBelow, importsOf, isTestSupport, productSources, readText } from "./source-tree.ts";

/** Which package may import what; `node:` needs to be said, workspaces link everything. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  core: [],
  server: [
    "@propgate/contract",
    "@propgate/core",
    "node:",
    "@electric-sql/pglite",
    "@simplewebauthn/server",
    "fastify",
    "pg",
    "pino",
    "zod",
  ],
  sdk: ["@propgate/contract"],
  ccxt: ["@propgate/contract", "@propgate/sdk", "node:crypto", "ccxt"],
  dashboard: [
    "@propgate/contract",
    "@propgate/sdk",
    "@base-ui/react",
    "@simplewebauthn/browser",
    "@tanstack/react-query",
    "@tanstack/react-router",
    "lightweight-charts",
    "react",
    "react-dom",
  ],
  cli: [
    "@propgate/contract",
    "@propgate/sdk",
    "@propgate/server",
    "node:",
    "@clack/prompts",
    "@modelcontextprotocol/server",
    "commander",
  ],
};

/** Inside core a folder may import those to its left, and its own. */
const CORE_LAYERS: readonly (readonly string[])[] = [
  ["."],
  ["market", "time"],
  ["orders", "positions", "trades"],
  ["account", "rules", "challenge", "pro", "payouts"],
  ["network"],
];

/** Inside the server: what a folder must never see, for reads cannot write and HTTP knows no SQL. */
const SERVER_BANS: readonly { readonly folder: string; readonly never: readonly string[] }[] = [
  { folder: "http", never: ["storage/migrations", "sandbox"] },
  { folder: "storage", never: ["http", "sandbox", "operator", "prices"] },
  { folder: "prices", never: ["http", "sandbox", "operator"] },
  { folder: "network", never: ["http", "sandbox", "operator"] },
];

const BANNED_WORDS: readonly {
  readonly pattern: RegExp;
  readonly only: readonly string[];
  readonly instead: string;
}[] = [
  {
    pattern: /\bMath\.random\b/,
    only: [],
    instead: "take a Chance (server/src/random.ts)",
  },
  {
    pattern: /\b(randomBytes|randomUUID|randomInt|randomFill(Sync)?|getRandomValues)\b/,
    only: ["packages/server/src/random.ts", "packages/sdk/src/random.ts"],
    instead: "take a Chance (server/src/random.ts)",
  },
  {
    // A date of something is a text of it; a date of nothing reads the clock.
    pattern: /\bDate\.now\b|(?<!\.)\bDate\(\)|new Date\b(?!\()/,
    only: [
      "packages/cli/src/main.ts",
      "packages/dashboard/src/clock.tsx",
      "packages/sdk/src/clock.ts",
      "packages/server/src/clock.ts",
    ],
    instead: "take a Clock (server/src/clock.ts)",
  },
  {
    pattern: /\bperformance\.(now|timeOrigin)\b|\bhrtime\b|\bprocess\.uptime\b|\bTemporal\.Now\b/,
    only: [],
    instead: "take a Clock (server/src/clock.ts)",
  },
  {
    // What waits for something other than the market's or the sandbox's time: sockets, locks, retries.
    pattern: /\bset(Timeout|Interval|Immediate)\(|\btimers\/promises\b|\bAbortSignal\.timeout\b/,
    only: [
      "packages/cli/src/main.ts",
      "packages/cli/src/operator-client.ts",
      "packages/cli/src/trading/exchange.ts",
      "packages/dashboard/src/clock.tsx",
      "packages/dashboard/src/live/account-live.tsx",
      "packages/sdk/src/retry.ts",
      "packages/sdk/src/send.ts",
      "packages/server/src/clock.ts",
      "packages/server/src/http/edge/connection-limit.ts",
      "packages/server/src/http/send-answer.ts",
      "packages/server/src/micro-batch.ts",
      "packages/server/src/prices/ticker.ts",
      "packages/server/src/storage/pglite-database.ts",
    ],
    instead: "take a Timer (server/src/clock.ts) or a Ticker (server/src/prices/ticker.ts)",
  },
  {
    pattern: /\bprocess\.env\b|import [^;]*\benv\b[^;]*from "node:process"/,
    only: ["packages/server/src/config.ts", "packages/cli/src/main.ts"],
    instead: "add a row to SETTINGS (server/src/config.ts)",
  },
  {
    pattern: /@ts-ignore|@ts-expect-error|biome-ignore|oxlint-disable|eslint-disable/,
    only: [],
    instead: "mend what the checker found",
  },
  { pattern: /\b(TODO|FIXME|XXX)\b/, only: [], instead: "do it, or write down what is missing" },
];

const BANNED_NAMES = /\/(utils|helpers|common|misc|types|constants)\.[a-z]+$/;

const FILE_LINES_MAX = 400;
const FOLDER_FILES_MAX = 16;
const DEPTH_MAX = 3;

const sources = productSources();
const packageOf = (path: string): string => path.split("/")[1] ?? "";

describe("tidy", () => {
  test("there is something to check", () => {
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

  test("core folders import only to their left", () => {
    const wrong = sources
      .filter((path) => path.startsWith("packages/core/src/") && !path.endsWith("/index.ts"))
      .flatMap((path) => {
        const own = coreRank(path);
        return importsOf(readText(path))
          .map((name) => normalize(join(dirname(path), name)))
          .filter((target) => coreRank(target) > own && !isTypeOnlyVocabulary(path, target))
          .map((target) => `${path} imports ${target}`);
      });
    expect(wrong).toEqual([]);
  });

  test("server folders do not see what they must not", () => {
    const wrong = sources.flatMap((path) => {
      const ban = SERVER_BANS.find((row) => path.startsWith(`packages/server/src/${row.folder}/`));
      if (ban === undefined) return [];
      return importsOf(readText(path))
        .filter((name) => name.startsWith("."))
        .map((name) => normalize(join(dirname(path), name)))
        .filter((target) =>
          ban.never.some((one) => target.startsWith(`packages/server/src/${one}/`)),
        )
        .map((target) => `${path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test.each(BANNED_WORDS)("no $pattern: $instead", ({ pattern, only }) => {
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
  ])("the words catch %s", (line) => {
    expect(BANNED_WORDS.some(({ pattern }) => pattern.test(line))).toBe(true);
  });

  test.each([
    "const text = new Date(atMs).toISOString();",
    "clock.now()",
    "const { updateDate } = it;",
    "clearTimeout(timer)",
    "function resetTimeout() {}",
  ])("the words let %s be", (line) => {
    expect(BANNED_WORDS.filter(({ pattern }) => pattern.test(line))).toEqual([]);
  });

  test("whatever may use a banned word does: else it is no longer named", () => {
    const idle = BANNED_WORDS.flatMap(({ pattern, only }) =>
      only.filter((path) => !sources.includes(path) || !pattern.test(readText(path))),
    );
    expect(idle).toEqual([]);
  });

  test("no file hides behind a name that says nothing", () => {
    const everything = [...filesBelow("packages"), ...filesBelow("test"), ...filesBelow("tools")];
    expect(everything.filter((path) => BANNED_NAMES.test(path))).toEqual([]);
    const indexes = everything.filter((path) => /\/index\.tsx?$/.test(path));
    expect(indexes.filter((path) => !/^packages\/[a-z]+\/src\/index\.ts$/.test(path))).toEqual([]);
  });

  test("files and folders stay small enough to read", () => {
    const long = sources.filter((path) => readText(path).split("\n").length > FILE_LINES_MAX);
    expect(long).toEqual([]);
    const deep = sources.filter((path) => path.split("/").length - 4 > DEPTH_MAX);
    expect(deep).toEqual([]);
    const folders = Map.groupBy(sources, (path) => dirname(path));
    const full = [...folders].filter(([, files]) => files.length > FOLDER_FILES_MAX);
    expect(full.map(([folder, files]) => `${folder}: ${files.length} files`)).toEqual([]);
  });

  test("no source is dead: each is imported by another or starts a program", () => {
    const imported = new Set(
      [...sources, ...filesBelow("bench"), ...filesBelow("test"), ...filesBelow("tools")]
        .filter((path) => /\.tsx?$/.test(path))
        .flatMap((path) =>
          importsOf(readText(path)).map((name) => normalize(join(dirname(path), name))),
        ),
    );
    const entries = /\/src\/(index|main)\.tsx?$|-worker\.ts$/;
    const dead = sources.filter((path) => !imported.has(path) && !entries.test(path));
    expect(dead).toEqual([]);
  });

  test("tests may not be skipped or narrowed by hand", () => {
    const tests = [...filesBelow("packages"), ...filesBelow("test")].filter(isTestSupport);
    const narrowed = /\b(test|it|describe)\.(only|todo)\b|\b(test|it|describe)\.skip\(/;
    expect(tests.filter((path) => narrowed.test(readText(path)))).toEqual([]);
  });
});

function isWithin(name: string, prefix: string): boolean {
  return prefix.endsWith(":")
    ? name.startsWith(prefix)
    : name === prefix || name.startsWith(`${prefix}/`);
}

function coreRank(path: string): number {
  const folder = path.split("/")[3] ?? "";
  const rank = CORE_LAYERS.findIndex((layer) => layer.includes(folder));
  return rank === -1 ? 0 : rank;
}

/** The account and the network's words are vocabulary: every rule reads them, whatever its layer. */
const VOCABULARY = [
  "account/account.ts",
  "network/command.ts",
  "network/draft.ts",
  "network/event.ts",
  "network/moment.ts",
  "network/refusal.ts",
] as const;

function isTypeOnlyVocabulary(path: string, target: string): boolean {
  const word = VOCABULARY.find((name) => target.endsWith(`/src/${name}`));
  if (word === undefined) return false;
  const imports = readText(path)
    .split(/^(?=import )/m)
    .filter((statement) => statement.includes(`/${word}"`));
  return imports.every((statement) => statement.startsWith("import type "));
}
