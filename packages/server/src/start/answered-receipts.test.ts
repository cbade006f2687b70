import {
  leverage,
  orderUuid,
  positionUuid,
  price,
  type TraderCommand,
  unixMs,
} from "@propgate/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySettings } from "../../../../test/environment/depth.ts";
import { wireJson } from "../../../base/src/wire-json.ts";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { createReceiptStore } from "../../../ledger/src/storage/stores/receipt-store.ts";
import { answerJson } from "../../../wire/src/views/order-answer.ts";
import { receiptView } from "../../../wire/src/views/receipt.ts";
import { storeNonce, TEST_KEY, TEST_NOON } from "../testing/counting-network.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { createManualEngine } from "../testing/manual-engine.ts";
import { BTCUSD, EURUSD, SMALL_CATALOGUE } from "../testing/small-market.ts";

const PRICE = 50_000;
const STEPS = 250;
/** The minimum number of steps. It is enough for every kind of order to occur. */
const STEPS_MIN = 100;
const LEAPS_MS = [3, 20_000, 43_200_000];
const size = { kind: "leverage", leverage: leverage(0.1) } as const;
const leg = { stopLoss: price(PRICE / 2), takeProfit: null, trailing: null, size: null };

/** Makes an order of the given kind. It names earlier orders and positions, and ids that do not exist. */
function orderOf(
  { kind, pick }: { readonly kind: number; readonly pick: number },
  known: {
    readonly id: string;
    readonly orders: readonly string[];
    readonly positions: readonly string[];
  },
): TraderCommand {
  const newUuid = orderUuid(known.id);
  const pair = pick === 7 ? EURUSD : BTCUSD;
  const entry = { orderUuid: newUuid, pair, direction: "long", size } as const;
  const legs = pick % 2 === 0 ? [] : [leg];
  const limit = { ...entry, legs, limitPrice: price(PRICE - 1_000 - pick), reduceOnly: false };
  const first = known.orders.at(pick % 3);
  const isAll = pick % 3 === 0;
  const orders = [...known.orders.slice(0, 1), "gone"].map(orderUuid);
  const positions = [...known.positions.slice(0, 1), "gone"].map(positionUuid);
  const commands: readonly TraderCommand[] = [
    { type: "placeMarket", ...entry, legs, reduceOnly: false },
    { type: "closePair", orderUuid: newUuid, pair },
    { type: "placeLimit", ...limit },
    { type: "placeStopLimit", ...limit, stopPrice: price(PRICE + 1_000), stopCondition: "gte" },
    { type: "placeBracket", orderUuid: newUuid, pair, legs: [leg, leg].slice(pick % 2) },
    {
      type: "editOrder",
      replacement: { type: "placeLimit", ...limit, orderUuid: orderUuid(first ?? "gone") },
    },
    { type: "cancelOrders", target: isAll ? "all" : orders, pair: null },
    { type: "flatten", target: isAll ? "all" : positions, pair: null },
  ];
  const command = commands[kind];
  if (command === undefined) throw new Error("a kind of order");
  return command;
}

/** Reads the receipt of the nonce and returns its `result`, as the API sends it. */
async function answerAgain(database: Database, nonce: string): Promise<string> {
  const found = await createReceiptStore(database).read({ keyId: TEST_KEY, nonce });
  return wireJson(receiptView(nonce, found).result);
}

await describeOnEachDatabase("the receipts of random orders", (database) => {
  test("the receipts of random orders repeat each answer to the byte, also after all later orders [D9.receipts]", async () => {
    const engine = createManualEngine(database(), { seed: "answered receipts" });
    const id = await engine.open();
    const answers = new Map<string, string>();
    const accepted = new Set<string>();
    const picks = fc.record({
      kind: fc.nat({ max: 7 }),
      pick: fc.nat({ max: 7 }),
      leap: fc.nat({ max: 2 }),
    });
    const plan = fc.sample(picks, propertySettings(STEPS, STEPS_MIN));
    for (const [index, { leap, ...step }] of plan.entries()) {
      engine.now = unixMs(engine.now + (LEAPS_MS[leap] ?? 0));
      // EURUSD has no fresh quote in some steps. Its positions then stay open.
      await engine.quote(BTCUSD, PRICE);
      if (index % 5 < 3) await engine.quote(EURUSD, 1.1);
      const account = await engine.cache.read({ accountId: id, version: engine.version(id) });
      const nonce = `n${index}`;
      const command = orderOf(step, {
        id: nonce,
        orders: (account?.state.orders ?? [])
          .filter(({ kind }) => kind === "limit")
          .map(({ uuid }) => uuid),
        positions: (account?.state.positions ?? []).map(({ uuid }) => uuid),
      });
      await storeNonce(database(), nonce);
      const origin = { by: "key", keyId: TEST_KEY, nonce, admittedAtMs: TEST_NOON } as const;
      const placed = await engine.network.carryOut(id, command, origin);
      if (!placed.ok) continue;
      answers.set(nonce, answerJson(placed.receipt, SMALL_CATALOGUE));
      accepted.add(command.type);
    }
    expect([...accepted].toSorted()).toEqual([
      "cancelOrders",
      "closePair",
      "editOrder",
      "flatten",
      "placeBracket",
      "placeLimit",
      "placeMarket",
      "placeStopLimit",
    ]);
    for (const [nonce, sent] of answers) expect(await answerAgain(database(), nonce)).toBe(sent);
  });
});
