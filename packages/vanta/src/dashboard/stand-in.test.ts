import { openStandIn, type StandIn, type StandInControl } from "@propgate/stand-in";
import { beforeAll, describe, expect, test } from "vitest";
import { createSeededChance } from "../../../base/src/random.ts";
import { type Literal, readLiteral } from "../python-literal.ts";
import type { DashboardCursors } from "../upstream/port.ts";
import { linkedPendingOrdersView } from "../views/pending-orders.ts";
import { linkedPositionsView } from "../views/positions.ts";
import { decodeDashboard } from "./decode-dashboard.ts";
import type { LinkedReadings } from "./linked-readings.ts";
import { mergeDashboard, NO_CURSORS } from "./merge-dashboard.ts";

const PAIRS = ["BTCUSDC", "ETHUSDC", "EURUSD", "EURGBP"] as const;
const START: Readonly<Record<(typeof PAIRS)[number], number>> = {
  BTCUSDC: 90_000,
  ETHUSDC: 3_000,
  EURUSD: 1.1,
  EURGBP: 0.85,
};

/** The stand-in's own records of a subaccount, which are compared with the values that are read from its dashboard. */
interface Books {
  readonly positions: readonly {
    readonly uuid: string;
    readonly closeMs: number | null;
    readonly netQuantity: number;
    readonly realized: number;
    readonly unrealized: number;
    readonly type: string;
  }[];
  readonly resting: readonly { readonly uuid: string }[];
}

describe("readings of a stand-in's dashboard", () => {
  let standIn: StandIn;

  beforeAll(async () => {
    standIn = await openStandIn({ seed: 1 });
    return () => standIn.close();
  });

  test.each(["one", "two", "three"])(
    "readings of a stand-in's dashboard equal its books after 150 random orders, with cursors, late and repeated answers (seed %s)",
    async (seed) => {
      const unit = unitsOf(seed);
      const { hotkey, number } = await standIn.control.addSubaccount({
        assetClass: "all_markets",
        accountSize: 100_000,
      });
      const trader = randomTrader(standIn, number, unit);
      const reader = createReader({ hotkey, subaccountId: number });
      const repeatable: Answer[] = [];
      for (let step = 0; step < 150; step += 1) {
        await trader.step();
        const requested = unit() < 0.1 ? NO_CURSORS : reader.cursors();
        const answer = { body: await readDashboard(standIn, hotkey, requested), requested };
        // A full answer without a section has no cursor that could show its age.
        if (requested.positionsMs !== null && requested.ordersMs !== null) repeatable.push(answer);
        reader.merge(answer);
        // Then an earlier answer is merged again, or the present answer a second time.
        reader.merge(repeatable[Math.floor(unit() * repeatable.length)] ?? answer);
        expectEqualBooks(reader, (await standIn.control.subaccount(hotkey)) as Books | null);
      }
      expect(reader.closed.size).toBeGreaterThan(5);
    },
  );
});

function unitsOf(seed: string): () => number {
  const chance = createSeededChance(seed);
  return () => Buffer.from(chance.bytes(4)).readUInt32BE() / 2 ** 32;
}

interface Answer {
  readonly body: Literal;
  readonly requested: DashboardCursors;
}

interface Reader {
  cursors(): DashboardCursors;
  merge(answer: Answer): void;
  readings(): LinkedReadings;
  readonly closed: ReadonlySet<string>;
}

function createReader(expected: {
  readonly hotkey: string;
  readonly subaccountId: number;
}): Reader {
  let readings: LinkedReadings | null = null;
  const closed = new Set<string>();
  return {
    closed,
    cursors: () => readings?.cursors ?? NO_CURSORS,
    readings: () => {
      if (readings === null) throw new Error("nothing was read");
      return readings;
    },
    merge: ({ body, requested }) => {
      const decoded = decodeDashboard(body, expected);
      if (!decoded.ok) throw new Error(decoded.why);
      const merged = mergeDashboard(readings, decoded.part, { requested, readAtMs: 0 });
      readings = merged.readings;
      for (const { kind, id } of merged.records) if (kind === "closedPosition") closed.add(id);
    },
  };
}

function expectEqualBooks(reader: Reader, books: Books | null): void {
  if (books === null) throw new Error("the stand-in has no such subaccount");
  const readings = reader.readings();
  const open = books.positions.filter(({ closeMs }) => closeMs === null);
  const views = linkedPositionsView({ readings, isStale: false }, null);
  expect(
    Object.fromEntries(
      views.map((one) => [one.positionUuid, [one.positionType, one.netQuantity?.toFixed(8)]]),
    ),
  ).toEqual(
    Object.fromEntries(open.map((one) => [one.uuid, [one.type, one.netQuantity.toFixed(8)]])),
  );
  for (const { uuid, unrealized, realized } of open) {
    const view = views.find(({ positionUuid }) => positionUuid === uuid);
    expect(view?.unrealizedPnl).toBeCloseTo(unrealized, 5);
    expect(view?.realizedPnl).toBeCloseTo(realized, 5);
  }
  expect([...reader.closed].toSorted()).toEqual(
    books.positions
      .filter(({ closeMs }) => closeMs !== null)
      .map(({ uuid }) => uuid)
      .toSorted(),
  );
  expect(
    linkedPendingOrdersView(readings, null)
      .map(({ orderUuid }) => orderUuid)
      .toSorted(),
  ).toEqual(books.resting.map(({ uuid }) => uuid).toSorted());
}

function randomTrader(
  {
    control,
    gatewayUrl,
    keys,
  }: { control: StandInControl; gatewayUrl: string; keys: { gateway: string } },
  subaccount: number,
  unit: () => number,
): { step(): Promise<void> } {
  const prices: Record<string, number> = { ...START };
  const submit = async (body: Readonly<Record<string, unknown>>): Promise<void> => {
    const response = await fetch(`${gatewayUrl}/api/submit-order`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${keys.gateway}` },
      body: JSON.stringify({ ...body, subaccount_id: subaccount }),
    });
    await response.text();
  };
  const movePrices = async (): Promise<void> => {
    for (const pair of PAIRS) prices[pair] = (prices[pair] ?? 1) * (1 + (unit() - 0.5) * 0.02);
    await control.setPrices(
      Object.fromEntries(
        PAIRS.map((pair) => [pair, { bid: prices[pair] ?? 1, ask: prices[pair] ?? 1 }]),
      ),
    );
  };
  const randomOrder = (): Readonly<Record<string, unknown>> | null => {
    const pair = PAIRS[Math.floor(unit() * PAIRS.length)] ?? "BTCUSDC";
    const isLong = unit() < 0.5;
    const away = (share: number): number => (prices[pair] ?? 1) * (1 + (isLong ? -share : share));
    const entry = {
      trade_pair: pair,
      order_type: isLong ? "LONG" : "SHORT",
      value: 500 + Math.floor(unit() * 5_000),
    };
    const legs = unit() < 0.4 ? { stop_loss: away(0.03), take_profit: away(-0.02) } : {};
    const half = { order_type: entry.order_type, stop_loss: away(0.015), bracket_pct: 0.5 };
    const orders = [
      { execution_type: "MARKET", ...entry, ...legs },
      { execution_type: "MARKET", ...entry },
      { execution_type: "LIMIT", ...entry, ...legs, limit_price: away(0.01) },
      { execution_type: "BRACKET", trade_pair: pair, ...half },
      { execution_type: "MARKET", trade_pair: pair, order_type: "FLAT" },
      unit() < 0.3 ? { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" } : null,
      unit() < 0.3 ? { execution_type: "FLAT_ALL", order_uuid: "ALL" } : null,
    ];
    return orders[Math.floor(unit() * orders.length)] ?? null;
  };
  return {
    step: async () => {
      await movePrices();
      const order = randomOrder();
      if (order !== null) await submit(order);
    },
  };
}

const NAMES = {
  positionsMs: "positions_time_ms",
  ordersMs: "limit_orders_time_ms",
  checkpointsMs: "checkpoints_time_ms",
  dailyReturnsMs: "daily_returns_time_ms",
} as const;

async function readDashboard(
  { validatorUrl, keys }: StandIn,
  hotkey: string,
  cursors: DashboardCursors,
): Promise<Literal> {
  const query = new URLSearchParams();
  for (const [cursor, name] of Object.entries(NAMES)) {
    const ms = cursors[cursor as keyof DashboardCursors];
    if (ms !== null) query.set(name, String(ms));
  }
  const response = await fetch(`${validatorUrl}/v2/entity/subaccount/${hotkey}?${query}`, {
    headers: { authorization: `Bearer ${keys.validator}` },
  });
  const read = readLiteral(await response.text(), { dialect: "json", charactersMax: 10_000_000 });
  if (!read.ok) throw new Error(read.problem);
  return read.value;
}
