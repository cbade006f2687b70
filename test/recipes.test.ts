/**
 * Follows the recipes of CONTRIBUTING.md in a copy of the sources. Each test plants the rows that declare an invented
 * thing, and no more. The compiler must then name every other file of the recipe. A failure means that a recipe
 * names too many files, or that a table does not demand a row for each of its keys.
 */
import { spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { DEPTH } from "./environment/depth.ts";
import { makeFreshCheckout } from "./fresh-checkout.ts";
import { ROOT, readText } from "./source-tree.ts";

/** A text that is planted in a file, behind a text that occurs once. */
interface Row {
  readonly file: string;
  readonly after: string;
  readonly planted: string;
}

interface Recipe {
  readonly title: string;
  readonly filesMax: number;
  readonly rows: readonly Row[];
  /** Files of the recipe that the compiler does not name. */
  readonly byHand?: readonly string[];
  readonly newFiles?: number;
}

const RECIPES: readonly Recipe[] = [
  {
    title: "An endpoint",
    filesMax: 8,
    rows: [
      {
        file: "contract/src/endpoints.ts",
        after: "ADDITIVE_ENDPOINT_NAMES = [\n",
        planted: '  "getMargin",\n',
      },
      {
        file: "contract/src/endpoints.ts",
        after: "ADDITIVE_ENDPOINTS = {\n",
        planted: `
          getMargin: {
            method: "GET",
            path: "/margin",
            scope: "trade:read",
            query: [],
            errorStatuses: ADDITIVE_ERRORS,
            summary: "The margin.",
            notAtValidators: null,
            beforeSetup: false,
          },
        `,
      },
    ],
    // The compiler does not demand an export or a method of the client.
    byHand: ["contract/src/index.ts", "sdk/src/client.ts"],
    // The new files are the shape and the handler.
    newFiles: 2,
  },
  {
    // The invented order type has no price and fills at the next quote.
    title: "An order type",
    filesMax: 8,
    rows: [
      {
        file: "contract/src/words.ts",
        after: 'EXECUTION_TYPES = [\n  "MARKET",\n',
        planted: '  "NEXT_QUOTE",\n',
      },
      {
        file: "contract/src/words.ts",
        after: "RESTING_EXECUTION_TYPES = [",
        planted: '"NEXT_QUOTE", ',
      },
      {
        file: "core/src/state/order.ts",
        after: "interface EntryKinds {\n",
        planted: "  readonly nextQuote: Readonly<Record<never, never>>;\n",
      },
      {
        file: "core/src/state/order.ts",
        after: "KIND_PLACED = {\n",
        planted: '  placeNextQuote: "nextQuote",\n',
      },
    ],
  },
  {
    title: "A field of an order",
    filesMax: 8,
    rows: [
      {
        file: "contract/src/requests/order-fates.ts",
        after: '  "reduce_only",\n',
        planted: '  "good_till_ms",\n',
      },
      {
        file: "contract/src/requests/order-kinds.ts",
        after: "const LIMIT = {\n  ...ENTRY,\n",
        planted: '  goodTillMs: optionalField("good_till_ms", amount("Its end."), null),\n',
      },
      {
        file: "contract/src/resources/pending-fields.ts",
        after: "POSITION_AND_LEGS = {\n",
        planted: '  goodTillMs: nullable(number("Its end.")),\n',
      },
      {
        file: "contract/src/examples/unused-fields.ts",
        after: "UNUSED = {\n",
        planted: "  goodTillMs: null,\n",
      },
      {
        file: "core/src/state/order.ts",
        after: "interface EntryRequest {\n",
        planted: "  readonly goodTillMs: number | null;\n",
      },
    ],
  },
  {
    title: "An event",
    filesMax: 6,
    rows: [
      {
        file: "core/src/state/event.ts",
        after: "export type Event =\n",
        planted: '  | { readonly type: "orderQueued"; readonly atMs: UnixMs }\n',
      },
      {
        file: "contract/src/resources/events/order-events.ts",
        after: "ORDER_EVENTS = {\n",
        planted: '  "order.queued": eventOf("order.queued", "It waits.", { orderUuid }),\n',
      },
    ],
  },
];

/**
 * The tsconfig of all product sources as one program. The stand-in is excluded: it models another network, so no recipe
 * changes it.
 */
const PROGRAM = {
  extends: "./tsconfig.tests.json",
  compilerOptions: { incremental: false, lib: ["ES2024", "DOM", "DOM.Iterable"] },
  include: ["packages/*/src"],
  exclude: [
    "packages/*/src/**/*.test.ts",
    "packages/*/src/**/*.suite.ts",
    "packages/*/src/**/testing",
    "packages/stand-in",
  ],
  references: [],
};

/** A script that writes the types of the SDK, as `npm run docs` does. */
const WRITE_TYPES = `
  import { writeFileSync } from "node:fs";
  import { describedTypes } from "./tools/reference/described-types.ts";
  for (const { path, content } of describedTypes()) writeFileSync(path, content);
`;

let copy = "";

beforeAll(async () => {
  copy = await makeFreshCheckout();
  await writeFile(join(copy, "planted.json"), JSON.stringify(PROGRAM));
  return () => rm(copy, { recursive: true });
});

/** The files that the recipe's first paragraph names. The list below it has files that only some changes need. */
function filesOf(title: string): readonly string[] {
  const text = readText("CONTRIBUTING.md").split(`**${title}.**`)[1]?.split("\n\n")[0] ?? "";
  const paths = text.matchAll(/`([a-z-]+\/src\/[^`]+\.tsx?)`/g);
  return [...new Set([...paths].map(([, path = ""]) => path))].toSorted();
}

async function plant({ file, after, planted }: Row): Promise<void> {
  const path = join(copy, "packages", file);
  const [before, ...rest] = (await readFile(path, "utf8")).split(after);
  expect(rest, `${file} has once: ${after}`).toHaveLength(1);
  await writeFile(path, [before, after, planted, ...rest].join(""));
}

function run(...words: readonly string[]): string {
  return spawnSync(process.execPath, words, { cwd: copy, encoding: "utf8" }).stdout;
}

/** The files in which the compiler finds errors. */
function filesWithErrors(): readonly string[] {
  run("--conditions=@propgate/source", "--input-type=module", "--eval", WRITE_TYPES);
  const compiler = join(ROOT, "node_modules/@typescript/native/bin/tsc");
  const said = run(compiler, "--project", "planted.json", "--pretty", "false");
  return [...said.matchAll(/^packages\/([^(]+)\(\d+,\d+\): error /gm)].map(([, path = ""]) => path);
}

/** The files that these recipes need together. The copy of the sources is restored afterwards. */
async function filesNeeded(recipes: readonly Recipe[]): Promise<readonly string[]> {
  const rows = recipes.flatMap((recipe) => recipe.rows);
  const touched = [...new Set(rows.map(({ file }) => file))];
  const byHand = recipes.flatMap((recipe) => recipe.byHand ?? []);
  const kept = touched.map((file) => [file, readText(join("packages", file))] as const);
  for (const row of rows) await plant(row);
  const files = [...new Set([...touched, ...byHand, ...filesWithErrors()])].toSorted();
  for (const [file, text] of kept) await writeFile(join(copy, "packages", file), text);
  return files;
}

// One compilation serves all recipes, because one for each would be slow. Together the recipes must still name every
// file that the compiler asks for, and only files that some recipe needs.
test.skipIf(DEPTH >= 1)("all recipes name every file that the compiler asks for", async () => {
  const named = RECIPES.flatMap(({ title }) => filesOf(title));
  expect(await filesNeeded(RECIPES)).toEqual([...new Set(named)].toSorted());
});

test.skipIf(DEPTH < 1).each(RECIPES)(
  'the recipe "$title" names every file that the compiler asks for',
  async (recipe) => {
    expect(await filesNeeded([recipe])).toEqual(filesOf(recipe.title));
  },
);

test.each(RECIPES)(
  'the recipe "$title" needs at most $filesMax files',
  ({ title, filesMax, newFiles = 0 }) => {
    expect(filesOf(title).length + newFiles).toBeLessThanOrEqual(filesMax);
  },
);
