import { randomUUID } from "node:crypto";
import { type Fault, openStandIn, type StandIn } from "@propgate/stand-in";
import { beforeAll, expect, test } from "vitest";
import { scaledCount } from "../../../../test/environment/depth.ts";
import { until } from "../../../../test/eventually.ts";
import type { WriteFate } from "../../../ledger/src/storage/rows/receipt-store-port.ts";
import { TEST_NOON } from "../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import {
  awaitEndedReceipts,
  type BenchAccount,
  linkBenchAccount,
  type OrderBench,
  openOrderBench,
  orderResultOf,
  type PlacedOrder,
  storedOrderResultOf,
  type TradeBody,
} from "../../../server/src/testing/order-bench.ts";

/** The account of a case: a long and a short position, and a resting order. */
interface Prepared extends BenchAccount {
  readonly restingId: string;
}

/** The trade that a client sends for each kind of order. */
const KINDS: Readonly<Record<string, (account: Prepared) => TradeBody>> = {
  market: () => ({
    execution_type: "MARKET",
    trade_pair: "ETHUSDC",
    order_type: "SHORT",
    value: 5_000,
    stop_loss: 4_000,
  }),
  flat: () => ({ execution_type: "MARKET", trade_pair: "BTCUSDC", order_type: "FLAT" }),
  limit: () => ({
    execution_type: "LIMIT",
    trade_pair: "ETHUSDC",
    order_type: "LONG",
    quantity: 1,
    limit_price: 2_000,
  }),
  stopLimit: () => ({
    execution_type: "STOP_LIMIT",
    trade_pair: "ETHUSDC",
    order_type: "LONG",
    quantity: 1,
    limit_price: 3_200,
    stop_price: 3_100,
    stop_condition: "GTE",
  }),
  bracket: () => ({ execution_type: "BRACKET", trade_pair: "BTCUSDC", stop_loss: 40_000 }),
  edit: ({ restingId }) => ({
    execution_type: "LIMIT_EDIT",
    order_uuid: restingId,
    trade_pair: "SOLUSDC",
    order_type: "LONG",
    value: 1_000,
    limit_price: 99,
  }),
  cancel: ({ restingId }) => ({ execution_type: "LIMIT_CANCEL", order_uuid: restingId }),
  cancelAll: () => ({ execution_type: "LIMIT_CANCEL", order_uuid: "ALL" }),
  flattenPair: () => ({ execution_type: "FLAT_ALL", trade_pair: "EURUSD" }),
  flattenAll: () => ({ execution_type: "FLAT_ALL" }),
};

const FAULTS: Readonly<Record<string, Fault>> = {
  cutBefore: { kind: "cut", when: "before" },
  cutAfter: { kind: "cut", when: "after" },
  halfBody: { kind: "halfBody" },
  cutAfterAnswer: { kind: "cutAfterAnswer" },
  error500Before: { kind: "error500", when: "before" },
  error500After: { kind: "error500", when: "after" },
  // These faults last longer than the call, but end within `resolveMs`, the time in which the network may still act.
  slowBefore: { kind: "held", when: "before" },
  slowAfter: { kind: "held", when: "after" },
  // The network acts after the deadline, and after two more status requests.
  lateBefore: { kind: "held", when: "before" },
  endlessBody: { kind: "endlessBody" },
  compressed: { kind: "compressed" },
  redirect: { kind: "redirect", location: "http://127.0.0.1:1/" },
  invalidJson: { kind: "invalidJson" },
  duplicateKey: { kind: "duplicateKey", key: "success" },
  notANumber: { kind: "number", key: "processing_time", text: "NaN" },
  badGatewayBefore: { kind: "answer", when: "before", status: 502, body: "<html>" },
  badGatewayAfter: { kind: "answer", when: "after", status: 502, body: "<html>" },
  emptyObject: { kind: "answer", when: "after", status: 200, body: "{}" },
  failureAfterWork: {
    kind: "answer",
    when: "after",
    status: 500,
    body: '{"success":false,"error":"x"}',
  },
};

/**
 * The number of kinds of order that are tested with each fault. At a low depth, about every third fault is tested with
 * each kind.
 */
const KINDS_OF_FAULT = Math.min(Object.keys(KINDS).length, scaledCount(10, 3));
const CASES = Object.keys(FAULTS).flatMap((fault, turn) =>
  Array.from({ length: KINDS_OF_FAULT }, (_, index) => {
    const kinds = Object.keys(KINDS);
    return { kind: kinds[(turn + 3 * index) % kinds.length] ?? "", fault };
  }),
);
const isLate = ({ fault }: Case): boolean => fault === "lateBefore";
/** The number of cases that run together: fewer than the desk sends at the same time. */
const CONCURRENT = 60;
const CALL_MS = 1_500;

interface Case {
  readonly kind: string;
  readonly fault: string;
}

/** A case whose order has been given to the desk. */
interface Running extends Case {
  readonly hotkey: string;
  /** The number of the account's submissions before the case. */
  readonly before: number;
  readonly nonce: string;
  readonly placed: Promise<PlacedOrder>;
}

await describeOnEachDatabase("orders that meet a fault", (database) => {
  const time = createManualTime(TEST_NOON);
  let standIn: StandIn;
  let bench: OrderBench;
  beforeAll(async () => {
    standIn = await openStandIn({ seed: 16, clock: time.clock });
    bench = openOrderBench({ database: database(), standIn, time, times: { callMs: CALL_MS } });
    await standIn.control.setPrices({
      BTCUSDC: { bid: 49_990, ask: 50_000 },
      ETHUSDC: { bid: 2_999, ask: 3_000 },
      SOLUSDC: { bid: 150, ask: 150.1 },
      EURUSD: { bid: 1.1, ask: 1.1002 },
    });
    return async () => {
      await bench.close();
      await standIn.close();
    };
  });

  const prepared = async (): Promise<Prepared> => {
    const account = await linkBenchAccount({ database: database(), standIn });
    const opening = (trade: TradeBody) =>
      bench.place(account, { execution_type: "MARKET", ...trade });
    orderResultOf(await opening({ trade_pair: "BTCUSDC", order_type: "LONG", value: 10_000 }));
    orderResultOf(await opening({ trade_pair: "EURUSD", order_type: "SHORT", quantity: 0.3 }));
    const resting = await bench.place(account, {
      execution_type: "LIMIT",
      trade_pair: "SOLUSDC",
      order_type: "LONG",
      value: 1_000,
      limit_price: 100,
    });
    return { ...account, restingId: orderResultOf(resting).order_uuid };
  };

  const start = async ({ kind, fault }: Case): Promise<Running> => {
    const account = await prepared();
    const { hotkey } = account;
    const rule = FAULTS[fault];
    const trade = KINDS[kind]?.(account);
    if (rule === undefined || trade === undefined) throw new Error("a case of the tables");
    const before = (await submissionsOf(hotkey)).length;
    await standIn.control.addFault({ call: "submit", hotkey, fault: rule, times: 1 });
    const nonce = randomUUID();
    return { kind, fault, hotkey, before, nonce, placed: bench.place(account, trade, nonce) };
  };
  const submissionsOf = async (hotkey: string) =>
    (await standIn.control.submissions()).filter((one) => one.hotkey === hotkey);

  const nonceOf = ({ nonce }: Running): string => nonce;
  const hasArrived = async ({ hotkey, before }: Running): Promise<boolean> =>
    (await submissionsOf(hotkey)).length > before;
  /** Takes over the orders. True once each order without an end was looked up at least twice. */
  const wereLookedUpAgain = async (nonces: readonly string[]): Promise<boolean> => {
    await time.pass(CALL_MS);
    await bench.desk.takeOver();
    const rows = await database().query(
      "select 1 from upstream_orders where nonce = any ($1::text[]) and attempts < 2 and state = 'sending'",
      [nonces],
    );
    return rows.length === 0;
  };

  /** Runs cases until their orders have ended. The call of a held order ends before its order continues. */
  const run = async (cases: readonly Case[]) => {
    const before = (await standIn.control.faults()).length;
    const running = await Promise.all(cases.map(start));
    const isHeld = ({ fault }: Case) => FAULTS[fault]?.kind === "held";
    const [held, others] = [running.filter(isHeld), running.filter((one) => !isHeld(one))];
    await Promise.all(others.map(({ placed }) => placed));
    await until(async () => (await standIn.control.faults()).length === before + cases.length);
    await time.pass(CALL_MS);
    for (const { placed } of held) {
      const rejection = { error: "unknownFate" };
      expect((await placed).answer).toEqual({ ok: false, rejection });
    }
    const isReleased = async (ones: readonly Running[]): Promise<void> => {
      for (const { hotkey } of ones) await standIn.control.release(hotkey);
      await until(async () => (await Promise.all(ones.map(hasArrived))).every(Boolean));
    };
    await isReleased(held.filter((one) => !isLate(one)));
    const came = await Promise.all(running.map(hasArrived));
    await awaitEndedReceipts(bench, running.filter((_, place) => came[place]).map(nonceOf));
    const missing = running.filter((_, place) => !came[place]);
    await until(() => wereLookedUpAgain(missing.map(nonceOf)));
    for (const { kind, fault, nonce } of missing) {
      const receipt = { fate: "pending", sentAtMs: expect.any(Number) };
      expect([kind, fault, await bench.receipt(nonce)]).toMatchObject([kind, fault, receipt]);
    }
    const late = missing.filter(isLate);
    await isReleased(late);
    await awaitEndedReceipts(bench, late.map(nonceOf));
    return Promise.all(
      running.map(async (one) => ({
        ...one,
        placed: await one.placed,
        receipt: await bench.receipt(one.nonce),
      })),
    );
  };

  test("every fault of every kind ends as the stand-in says, however late it acts, and no clock ends one that it has not done [D13.lastWord]", async () => {
    const ends: Awaited<ReturnType<typeof run>> = [];
    for (let from = 0; from < CASES.length; from += CONCURRENT) {
      ends.push(...(await run(CASES.slice(from, from + CONCURRENT))));
    }
    const submissions = await standIn.control.submissions();
    const wrong = ends.filter(({ receipt, placed, hotkey, before }) => {
      const arrived = submissions.filter((one) => one.hotkey === hotkey).slice(before);
      const accepted = arrived.filter(({ isAccepted }) => isAccepted).length;
      const isTwice = arrived.length > 1 || accepted > 1;
      const fate = receipt?.fate;
      const isAnsweredAlike = placed.answer.ok
        ? fate === "accepted"
        : placed.answer.rejection.error === "unknownFate" || fate === "rejected";
      const isTold =
        fate === "pending" ? arrived.length === 0 : (fate === "accepted") === (accepted === 1);
      return isTwice || !isAnsweredAlike || !isTold;
    });
    expect(wrong.map(({ kind, fault, receipt }) => [kind, fault, receipt])).toEqual([]);
    expect(bench.faults).toEqual([]);
    expect((await standIn.control.contents()).filter(({ accepted }) => accepted > 1)).toEqual([]);
    const accepted = ends.filter(({ receipt }) => receipt?.fate === "accepted");
    expect(accepted.filter(({ receipt, kind }) => lacksOrder(receipt, kind)).map(named)).toEqual(
      [],
    );
  });
});

const named = ({ kind, fault }: { readonly kind: string; readonly fault: string }): string =>
  `${kind} ${fault}`;

/**
 * Whether an accepted receipt is missing, or wrong about the record of an order: a placed or edited order has one, a
 * cancel or a close has none.
 */
function lacksOrder(receipt: WriteFate | null, kind: string): boolean {
  if (receipt?.fate !== "accepted") return true;
  const { order } = storedOrderResultOf(receipt);
  const isAct = /cancel|flatten/i.test(kind);
  return isAct ? order !== null : order === null;
}
