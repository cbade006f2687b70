import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { propertySettings } from "../../../../../../test/environment/depth.ts";
import { describeList } from "../../../../../contract/src/operator/lists/list-description.ts";
import {
  boolean,
  id,
  list,
  nullable,
  number,
  object,
  string,
  time,
  type Wire,
  word,
} from "../../../../../contract/src/schema.ts";
import type { Database } from "../../../../../ledger/src/storage/databases/database.ts";
import type { PerShard } from "../../../../../ledger/src/storage/shards/per-shard.ts";
import { inMemorySource } from "../../../storage/lists/in-memory-source.ts";
import type { ListSource } from "../../../storage/lists/list-query.ts";
import { createListReader } from "../../../storage/lists/list-reader.ts";
import { describeOnEachDatabase } from "../../../testing/each-database.ts";
import { openTestDatabase } from "../../../testing/open-test-database.ts";
import { cursorText } from "./list-cursor.ts";
import type { RawQuery } from "./list-parameter.ts";
import { parseListQuery } from "./list-request.ts";

/* A model of the operator's lists, over arrays and by the rules of lists. The service must give the same answers. */

const WORDS = ["alpha", "beta", "gamma"] as const;

const ITEM = object("An item with a field of each kind.", {
  itemId: id("Its id."),
  otherId: nullable(id("Another.")),
  kind: word(WORDS, "One word."),
  state: nullable(word(WORDS, "One word or none.")),
  words: list(word(WORDS, "A word."), "Words."),
  notes: nullable(list(string("A note."), "Notes.")),
  isOn: boolean("A switch."),
  isKnown: nullable(boolean("A switch that may be unknown.")),
  name: string("A name."),
  reason: nullable(string("A reason.")),
  amount: number("An amount."),
  share: nullable(number("A share.")),
  atMs: time("A time."),
  endedAtMs: nullable(time("A time or none.")),
});
type Item = Wire<typeof ITEM>;
type Value = Item[keyof Item];

const LIST = describeList(ITEM, {
  sort: "-atMs",
  ties: ["itemId"],
  parts: ["name"],
  beginnings: ["itemId", "otherId"],
  isCounted: true,
});

const TEXTS = ["", "a", "A", "ab", "É", "é", "\u{1f600}", "\uffee", "=1+1", "a,b", "null", "%_\\"];
const IDS = ["a1", "a2", "B1", "null!", "x:y"];
const AMOUNTS = [0, -1.5, 0.1, 0.3, 2e9, 1e-7, 12.345678];
const TIMES = [946_684_800_000, 1_767_225_600_000, 1_767_225_600_001, 4_102_444_800_000];

const from = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
const maybe = <Value>(values: readonly Value[]) => from<Value | null>([null, ...values]);

const ITEMS: fc.Arbitrary<readonly Item[]> = fc.uniqueArray(
  fc.record({
    itemId: fc.tuple(from(IDS), fc.nat(40)).map(([text, n]) => `${text}${n}`),
    otherId: maybe(IDS),
    kind: from(WORDS),
    state: maybe(WORDS),
    words: fc.uniqueArray(from(WORDS)),
    notes: fc.option(fc.uniqueArray(from(TEXTS.slice(1)), { maxLength: 2 })),
    isOn: fc.boolean(),
    isKnown: maybe([true, false]),
    name: from(TEXTS),
    reason: maybe(TEXTS),
    amount: from(AMOUNTS),
    share: maybe(AMOUNTS),
    atMs: from(TIMES),
    endedAtMs: maybe(TIMES),
  }),
  { maxLength: 14, selector: ({ itemId }) => itemId },
);

const ids = fc.uniqueArray(from([...IDS, "nothing"]), { minLength: 1 }).map((all) => all.join());
const words = fc.uniqueArray(from(WORDS), { minLength: 1 }).map((all) => all.join());
const switches = from(["true", "false", "false,true"]);
const whole = from(TEXTS.slice(1).filter((text) => text !== "null"));
const known = from(["null", "set"]);
const amounts = from(AMOUNTS.map((amount) => amount.toFixed(9)));
const times = from(TIMES.map(String));

const FILTERS = {
  itemId: ids,
  otherId: fc.oneof(ids, known),
  kind: words,
  state: fc.oneof(words, known),
  words,
  notes: fc.oneof(whole, known),
  isOn: switches,
  isKnown: fc.oneof(switches, known),
  name: whole,
  reason: fc.oneof(whole, known),
  share: known,
  endedAtMs: known,
  amountMin: amounts,
  amountMax: amounts,
  shareMin: amounts,
  shareMax: amounts,
  atMsMin: times,
  atMsMax: times,
  endedAtMsMin: times,
  endedAtMsMax: times,
  q: from(["a", "A1", "b", "É", "null", "%", "x:"]),
} as const;

const NAMES = LIST.fields.map(({ name }) => name);
const SORTS = NAMES.flatMap((name) => [name, `-${name}`]);
const FIELDS = fc.uniqueArray(from(NAMES), { minLength: 1 }).map((names) => names.join());

type Query = Readonly<Record<string, string>>;

/** A query has few filters, because many together find no item. */
const QUERY: fc.Arbitrary<Query> = fc
  .uniqueArray(from(Object.keys(FILTERS) as (keyof typeof FILTERS)[]), { maxLength: 2 })
  .chain((names) =>
    fc.record({
      ...Object.fromEntries(names.map((name) => [name, FILTERS[name]])),
      sort: fc.option(from(SORTS), { nil: undefined }),
      fields: fc.option(FIELDS, { nil: undefined }),
      limit: from(["1", "2", "5"]),
    }),
  )
  .map((given) =>
    Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    ),
  );

/** All items that the query finds, in the query's order, with the query's fields. */
function expected(
  items: readonly Item[],
  query: Query,
): readonly Readonly<Record<string, unknown>>[] {
  const { sort = "-atMs", fields = NAMES.join() } = query;
  const isDescending = sort.startsWith("-");
  const key = sort.replace(/^-/, "");
  return items
    .filter((item) => Object.entries(query).every(([name, text]) => holds(item, name, text)))
    .toSorted((one, other) => {
      const [a, b] = [fieldOf(one, key), fieldOf(other, key)];
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1;
      } else if (compare(a, b) !== 0) return isDescending ? -compare(a, b) : compare(a, b);
      return compare(one.itemId, other.itemId);
    })
    .map((item) =>
      Object.fromEntries(fields.split(",").map((name) => [name, fieldOf(item, name)])),
    );
}

function fieldOf(item: Item, name: string): Value {
  return new Map<string, Value>(Object.entries(item)).get(name) ?? null;
}

function holds(item: Item, name: string, text: string): boolean {
  if (["sort", "fields", "limit"].includes(name)) return true;
  if (name === "q") return isFound(item, text.toLowerCase());
  const [, bounded, side] = /^(.*)(Min|Max)$/.exec(name) ?? [];
  if (bounded === undefined) return matches(fieldOf(item, name), name, text);
  const value = fieldOf(item, bounded);
  if (value === null) return false;
  return side === "Min" ? Number(value) >= Number(text) : Number(value) <= Number(text);
}

function isFound({ itemId, otherId, name }: Item, part: string): boolean {
  const begins = [itemId, otherId ?? ""].some((one) => one.toLowerCase().startsWith(part));
  return begins || name.toLowerCase().includes(part);
}

const NULLABLE = ["otherId", "state", "notes", "isKnown", "reason", "share", "endedAtMs"];

function matches(value: Value, name: string, text: string): boolean {
  if (NULLABLE.includes(name) && text === "null") return value === null;
  if (NULLABLE.includes(name) && text === "set") return value !== null;
  const wanted = ["name", "reason", "notes"].includes(name) ? [text] : text.split(",");
  const own = Array.isArray(value) ? value : [value];
  return value !== null && own.some((one) => wanted.includes(String(one)));
}

function compare(one: Value, other: Value): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  const [a, b] = [one, other].map((value) => {
    const text = Array.isArray(value) ? value.join("|") : String(value);
    return Array.from(text, (character) => character.codePointAt(0) ?? 0);
  });
  const different = (a ?? []).findIndex((point, index) => point !== b?.[index]);
  if (different === -1) return (a?.length ?? 0) - (b?.length ?? 0);
  return (a?.[different] ?? 0) - (b?.[different] ?? -1);
}

/** Reads every page as a client does, and then the file. */
async function read(databases: PerShard<Database>, source: ListSource, query: Query) {
  const lists = createListReader(databases);
  const items: unknown[] = [];
  const totals = new Set<number | null>();
  let after: string | null = null;
  do {
    const raw: RawQuery = {
      list: LIST,
      scope: "items",
      query: after === null ? query : { ...query, after },
    };
    const request = parseListQuery(raw);
    if ("refused" in request) throw new Error(request.refused.error);
    const page = await lists.page(LIST, source, request.value);
    items.push(...page.items);
    totals.add(page.total);
    after = page.next === null ? null : cursorText(raw, request.value, page.next);
  } while (after !== null);
  const whole = parseListQuery({ list: LIST, scope: "items", query: { ...query, format: "csv" } });
  if ("refused" in whole) throw new Error(whole.refused.error);
  const file: unknown[] = [];
  for await (const item of lists.all(LIST, source, whole.value)) file.push(item);
  return { items, file, totals: [...totals] };
}

await describeOnEachDatabase("a list by its description [D12.lists]", (database) => {
  test("pages and file have the items of the model, in its order", async () => {
    await fc.assert(
      fc.asyncProperty(ITEMS, QUERY, async (items, query) => {
        const wanted = expected(items, query);
        const found = await read([database()], inMemorySource(LIST, items), query);
        expect(found.items).toEqual(wanted);
        expect(found.file).toEqual(wanted);
        expect(found.totals).toEqual([wanted.length]);
        expect(found.items.map((item) => Object.keys(item ?? {}))).toEqual(
          wanted.map((item) => Object.keys(item)),
        );
      }),
      propertySettings(2_000),
    );
  });

  let second: Database | null = null;
  beforeAll(async () => {
    second = await openTestDatabase();
    for (const [number, one] of [database(), second].entries()) {
      await one.query("create table here (number int not null)");
      await one.query("insert into here values ($1)", [number]);
    }
  });
  afterAll(async () => {
    await database().query("drop table here");
    await second?.close();
  });

  test("the items of two databases are merged in the order of the model", async () => {
    await fc.assert(
      fc.asyncProperty(ITEMS, QUERY, async (items, query) => {
        if (second === null) throw new Error("the second database is not open");
        const { rows, parameters = [] } = inMemorySource(LIST, items);
        const own = `select given.* from (${rows}) as given, here
          where length(given."itemId") % 2 = here.number`;
        const wanted = expected(items, query);
        const source: ListSource = { rows: own, parameters, databases: "all" };
        const found = await read([database(), second], source, query);
        expect(found.items).toEqual(wanted);
        expect(found.file).toEqual(wanted);
        expect(found.totals).toEqual([wanted.length]);
      }),
      propertySettings(1_000),
    );
  });
});
