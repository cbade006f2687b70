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
    "fastify",
    "pg",
    "pino",
    "zod",
  ],
  sdk: ["@propgate/contract"],
  cli: ["@propgate/contract", "@propgate/sdk", "@propgate/server", "node:", "commander"],
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
    pattern: /\bDate\.now\(|new Date\(\)/,
    only: ["packages/server/src/clock.ts", "packages/cli/src/main.ts", "packages/sdk/src/clock.ts"],
    instead: "take a Clock (server/src/clock.ts)",
  },
  {
    pattern: /\bprocess\.env\b/,
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
        .filter((path) => path.endsWith(".ts"))
        .flatMap((path) =>
          importsOf(readText(path)).map((name) => normalize(join(dirname(path), name))),
        ),
    );
    const entries = /\/src\/(index|main)\.ts$|-worker\.ts$/;
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
