/** The recipe of a new order type in CONTRIBUTING.md, compared with the files that name one of the present kinds. */
import { expect, test } from "vitest";
import { productSources, readText } from "./source-tree.ts";

/**
 * The stop-limit represents every kind: a file that names it for a row per kind must be in the
 * recipe.
 */
const SIBLING = /\b(STOP_LIMIT|stopLimit|placeStopLimit|PlaceStopLimit|StopLimitOrder)\b/;

/** These files name the stop-limit itself, so a new kind does not change them. */
const NOT_PER_KIND: Readonly<Record<string, string>> = {
  "ccxt/src/orders/order-trade.ts": "which kind ccxt's arguments mean",
  "cli/src/mcp/order-tools.ts": "a sentence for agents",
  "contract/src/examples/examples.ts": "an example",
  "contract/src/resources/events/order-events.ts": "its stop triggers",
  "contract/src/resources/order-history.ts": "a sentence about its stop price",
  "contract/src/resources/pending-fields.ts": "a sentence about its stop price",
  "core/src/evolve/pending-orders.ts": "its stop triggers",
  "core/src/orders/edit.ts": "an edit of it, for kinds that can be edited",
  "core/src/pending/triggers.ts": "its stop's level",
  "dashboard/src/pages/positions/orders.tsx": "a sentence for people",
  "server/src/api/refusal-text.ts": "which field made an edit of it one of another kind",
  "server/src/vanta/dashboard/compact-orders.ts": "the validator's words for what is pending",
  "server/src/vanta/orders/fate/agreement.ts": "the stop price of an edited one",
  "server/src/vanta/orders/refusal-words.ts": "the prices that a text of the validator may mean",
};

const FILES_MAX = 13;
const VALIDATOR_FILES_MAX = 4;
/** The files of the adapter, which have a recipe of their own. */
const ADAPTER = "server/src/vanta/";

/**
 * The paths of the recipe's first paragraph; the list below it names files that only some kinds
 * need.
 */
function recipe(title: string): readonly string[] {
  const text = readText("CONTRIBUTING.md").split(`**${title}.**`)[1]?.split("\n\n")[0] ?? "";
  const paths = text.matchAll(/`((?:contract|core|server|cli|sdk|ccxt)\/src\/[^`]+\.ts)`/g);
  return [...paths].map(([, path = ""]) => path);
}

function namingFiles(): readonly string[] {
  const named = productSources().filter((path) => {
    if (/\/described\/|\/scenarios\/|^packages\/stand-in\//.test(path)) return false;
    const code = readText(path).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    return SIBLING.test(code);
  });
  return named.map((path) => path.replace(/^packages\//, ""));
}

function filesPerKind(): readonly string[] {
  return namingFiles()
    .filter((path) => !Object.hasOwn(NOT_PER_KIND, path))
    .toSorted();
}

test("the recipe of an order type names every file that has a row for each kind, and at most thirteen", () => {
  const files = recipe("An order type");
  const perKind = filesPerKind().filter((path) => !path.startsWith(ADAPTER));
  expect(perKind).toEqual([...new Set(files)].toSorted());
  expect(files.length).toBeLessThanOrEqual(FILES_MAX);
});

test("the recipe for accounts at a validator names the adapter's files, and at most four", () => {
  const files = recipe("An order type at a validator");
  expect(filesPerKind().filter((path) => path.startsWith(ADAPTER))).toEqual(files.toSorted());
  expect(files.length).toBeLessThanOrEqual(VALIDATOR_FILES_MAX);
});

test("every exception of the recipe still names the stop-limit", () => {
  const named = namingFiles();
  expect(Object.keys(NOT_PER_KIND).filter((path) => !named.includes(path))).toEqual([]);
});
