import { hash } from "node:crypto";
import {
  type AccountId,
  catalogueText,
  type Direction,
  orderUuid,
  ratio,
  type TrailingDistance,
  unixMs,
} from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { deepenedCount } from "../../../../../test/environment/depth.ts";
import { createSeededChance } from "../../../../base/src/random.ts";
import { createQuoteStore } from "../../../../market/src/storage/quote-store.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { madeQuoteFlow } from "../../../../server/src/testing/made-quote-flow.ts";
import {
  createManualEngine,
  type ManualEngine,
} from "../../../../server/src/testing/manual-engine.ts";
import { BTCUSD, EURUSD, SMALL_CATALOGUE } from "../../../../server/src/testing/small-market.ts";
import type { Database } from "../../storage/databases/database.ts";
import { createCatalogueStore } from "../../storage/stores/catalogue-store.ts";
import { createFileJudge, exportJournal, WHOLE_JOURNAL } from "../journal/journal-export.ts";
import { verifyJournal } from "../journal/verify-journal.ts";

/** How many times a process is lost with its memory. */
const LOSSES = deepenedCount(300, 12);
/** A Tuesday at noon, when both pairs trade. */
const TUESDAY = unixMs(1_767_700_800_000);
const CHANCE = createSeededChance("shown stops");

const BY_PERCENT: TrailingDistance = { kind: "percent", ratio: ratio(0.2) };
const BY_VALUE: TrailingDistance = { kind: "value", value: 0.15 };

interface Traded {
  readonly id: AccountId;
  readonly direction: Direction;
}

/** The stop that GET positions shows. */
async function shown(engine: ManualEngine, id: AccountId): Promise<number> {
  const read = await engine.network.positions({ accountId: id, version: 0 });
  const [position] = read.ok ? read.value : [];
  if (typeof position?.stopLoss !== "number") throw new Error("a position with a stop");
  return position.stopLoss;
}

/** The prices of trailing stops that answers have shown, and how often they moved. */
class ShownLevels {
  moved = 0;
  readonly #levels = new Map<AccountId, number>();

  async read(engine: ManualEngine, { id, direction }: Traded): Promise<void> {
    const level = await shown(engine, id);
    const before = this.#levels.get(id) ?? level;
    expect(direction === "long" ? level >= before : level <= before).toBe(true);
    if (level !== before) this.moved += 1;
    this.#levels.set(id, level);
  }
}

/** A process that knows only the stored states and has no tape. */
async function newProcess(on: Database): Promise<ManualEngine> {
  const engine = createManualEngine(on, { now: TUESDAY, chance: CHANCE });
  await engine.restore();
  await engine.quote(EURUSD, 1, 1.0001);
  return engine;
}

async function bought(
  engine: ManualEngine,
  direction: Direction,
  trailing: TrailingDistance,
): Promise<Traded> {
  const id = await engine.open();
  await engine.order(id, {
    type: "placeMarket",
    orderUuid: orderUuid(CHANCE.uuid()),
    pair: EURUSD,
    direction,
    size: { kind: "quantity", lots: 0.1 },
    legs: [{ stopLoss: null, takeProfit: null, trailing, size: null }],
    reduceOnly: false,
  });
  return { id, direction };
}

/** Reads some accounts at each price. Some quotes come after an account's last read. */
async function tradeAndRead(
  engine: ManualEngine,
  traded: readonly Traded[],
  levels: ShownLevels,
): Promise<void> {
  const price = 0.95 + draw() * 0.1;
  for (const at of [price, 1.95 - price, 1]) {
    await engine.quote(EURUSD, at, at * 1.0001);
    for (const one of traded.filter(() => draw() < 0.5)) await levels.read(engine, one);
  }
}

const MOVES = createSeededChance("moves");
const draw = (): number => (MOVES.bytes(1)[0] ?? 0) / 256;

await describeOnEachDatabase("the levels of trailing stops", (database) => {
  let trading: ManualEngine;
  beforeEach(async () => {
    trading = await newProcess(database());
  });

  test("levels of trailing stops that an answer showed never fall for a LONG and never rise for a SHORT when the process is lost, without a tape [D13.stopNeverFalls]", async () => {
    const traded: Traded[] = [];
    for (const direction of ["long", "short"] as const) {
      for (const trailing of [BY_PERCENT, BY_VALUE]) {
        traded.push(await bought(trading, direction, trailing));
      }
    }
    const levels = new ShownLevels();
    for (let loss = 0; loss < LOSSES; loss += 1) {
      await tradeAndRead(trading, traded, levels);
      trading = await newProcess(database());
      for (const one of traded) await levels.read(trading, one);
    }
    expect(levels.moved).toBeGreaterThan(2);
    expect((await verifyJournal(database(), "all")).broken).toEqual([]);
  });

  test("levels of trailing stops are written before the list of orders shows them [D13.stopNeverFalls]", async () => {
    const { id } = await bought(trading, "long", BY_VALUE);
    await trading.quote(EURUSD, 1.1, 1.1001);
    const listed = await trading.network.pendingOrders({ accountId: id, version: 0 });
    expect(listed).toMatchObject({ ok: true, value: [{ bestPrice: 1.1 }] });
    trading = await newProcess(database());
    expect(await shown(trading, id)).toBe(0.95);
  });

  test("levels of trailing stops are written once when they are read, and not again while they stay [D13.stopNeverFalls]", async () => {
    const { id } = await bought(trading, "long", BY_VALUE);
    const placed = trading.version(id);
    expect(await shown(trading, id)).toBeCloseTo(0.85);
    await trading.quote(EURUSD, 1.1, 1.1001);
    await trading.quote(EURUSD, 1.05, 1.0501);
    expect(trading.version(id)).toBe(placed);
    const reads = await Promise.all([shown(trading, id), shown(trading, id), shown(trading, id)]);
    expect(new Set(reads)).toEqual(new Set([0.95]));
    expect(trading.version(id)).toBe(placed + 1);
    expect(await shown(trading, id)).toBe(0.95);
    expect(trading.version(id)).toBe(placed + 1);
    const line = (await trading.journal(id)).at(-1);
    expect(line?.event).toMatchObject({ type: "trailMoved", bestPrice: 1.1 });

    const body = catalogueText(SMALL_CATALOGUE);
    const digest = hash("sha256", body, "buffer").subarray(0, 12);
    await createCatalogueStore(database()).insertIfMissing({
      hash: digest.toString("base64url"),
      body,
    });
    const judge = createFileJudge();
    for await (const text of exportJournal(database(), id, WHOLE_JOURNAL)) {
      for (const one of text.trimEnd().split("\n")) judge.read(one);
    }
    expect(judge.judgement()).toMatchObject({ different: null });
  });

  test("levels of trailing stops are written when the process stops in order, also those that no answer showed [D13.stopNeverFalls]", async () => {
    const { id } = await bought(trading, "long", BY_VALUE);
    await trading.quote(EURUSD, 1.1, 1.1001);
    await trading.quote(EURUSD, 1.05, 1.0501);
    await trading.recordStops();
    trading = await newProcess(database());
    expect(await shown(trading, id)).toBe(0.95);
  });

  test("levels of trailing stops are not written by readings that show none [D13.stopNeverFalls]", async () => {
    const { id } = await bought(trading, "long", BY_VALUE);
    await trading.quote(BTCUSD, 50_000);
    await trading.quote(EURUSD, 1.1, 1.1001);
    const placed = trading.version(id);
    const at = { accountId: id, version: placed };
    for (const reading of ["account", "market"] as const) {
      expect(await trading.network[reading](at)).toMatchObject({ ok: true });
    }
    expect(trading.version(id)).toBe(placed);
  });

  test.each([
    ["long", 1.1, 0.85],
    ["short", 0.9, 1.1501],
  ] as const)(
    "levels of trailing stops of a %s do not follow a stored quote of before their position, and follow one of after it [D5.trailing]",
    async (direction, better, level) => {
      const store = createQuoteStore(database());
      const before = madeQuoteFlow(SMALL_CATALOGUE, null, "sent");
      const first = createManualEngine(database(), { now: TUESDAY, chance: CHANCE, flow: before });
      await first.quote(EURUSD, better, better + 0.0001);
      await before.board.save(store);
      first.now = unixMs(TUESDAY + 1_000);
      await first.quote(EURUSD, 1, 1.0001);
      const { id } = await bought(first, direction, BY_VALUE);
      expect(await shown(first, id)).toBe(level);

      const restarted = async () => {
        const flow = madeQuoteFlow(SMALL_CATALOGUE, null, "sent");
        const now = unixMs(TUESDAY + 3_000);
        await flow.board.restore(store, now);
        const engine = createManualEngine(database(), { now, chance: CHANCE, flow });
        await engine.restore();
        return engine;
      };
      expect(await shown(await restarted(), id)).toBe(level);
      first.now = unixMs(TUESDAY + 2_000);
      await first.quote(EURUSD, better, better + 0.0001);
      await before.board.save(store);
      expect(await shown(await restarted(), id)).toBeCloseTo(direction === "long" ? 0.95 : 1.0501);
    },
  );
});
