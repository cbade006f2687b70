import { type Fault, openStandIn, type StandIn } from "@propgate/stand-in";
import { beforeAll, expect, test } from "vitest";
import { scaled } from "../../../../../test/environment/depth.ts";
import { createSlots } from "../../base/slots.ts";
import type { WriteFate } from "../../storage/rows/receipt-store-port.ts";
import { describeOnEachDatabase } from "../../testing/each-database.ts";
import {
  type BenchAccount,
  endedReceipt,
  linkBenchAccount,
  type OrderBench,
  openOrderBench,
  resultOf,
  SHORT_TIMES,
  storedResultOf,
  type Trade,
} from "../../testing/order-bench.ts";

/** The account of a case: a long and a short position, and a resting order. */
interface Prepared extends BenchAccount {
  readonly restingId: string;
}

/** A kind of order, and the trade that a client sends. */
const KINDS: Readonly<Record<string, (account: Prepared) => Trade>> = {
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

/** Later than the end of the call, but within the time that the network may still need. */
const TOO_LATE_MS = SHORT_TIMES.callMs + 300;

const FAULTS: Readonly<Record<string, Fault>> = {
  cutBefore: { kind: "cut", when: "before" },
  cutAfter: { kind: "cut", when: "after" },
  halfBody: { kind: "halfBody" },
  cutAfterAnswer: { kind: "cutAfterAnswer" },
  error500Before: { kind: "error500", when: "before" },
  error500After: { kind: "error500", when: "after" },
  slowBefore: { kind: "slow", beforeMs: TOO_LATE_MS },
  slowAfter: { kind: "slow", afterMs: TOO_LATE_MS },
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

/** How many kinds of order meet each fault: at a low depth each kind meets each third fault or so. */
const KINDS_OF_FAULT = Math.min(Object.keys(KINDS).length, scaled(10, 3));
const CASES = Object.keys(FAULTS).flatMap((fault, turn) =>
  Array.from({ length: KINDS_OF_FAULT }, (_, index) => {
    const kinds = Object.keys(KINDS);
    return { kind: kinds[(turn + 3 * index) % kinds.length] ?? "", fault };
  }),
);
const CONCURRENT = 20;

await describeOnEachDatabase("orders that meet a fault", (database) => {
  let standIn: StandIn;
  let bench: OrderBench;
  /** Opens what a case needs, however busy the machine is. */
  let patient: OrderBench;
  beforeAll(async () => {
    standIn = await openStandIn({ seed: 16 });
    await standIn.control.setPrices({
      BTCUSDC: { bid: 49_990, ask: 50_000 },
      ETHUSDC: { bid: 2_999, ask: 3_000 },
      SOLUSDC: { bid: 150, ask: 150.1 },
      EURUSD: { bid: 1.1, ask: 1.1002 },
    });
    bench = openOrderBench({ database: database(), standIn });
    patient = openOrderBench({ database: database(), standIn, times: { callMs: 60_000 } });
    return async () => {
      await bench.close();
      await patient.close();
      await standIn.close();
    };
  });

  const prepared = async (): Promise<Prepared> => {
    const account = await linkBenchAccount({ database: database(), standIn });
    const opening = (trade: Trade) =>
      patient.place(account, { execution_type: "MARKET", ...trade });
    resultOf(await opening({ trade_pair: "BTCUSDC", order_type: "LONG", value: 10_000 }));
    resultOf(await opening({ trade_pair: "EURUSD", order_type: "SHORT", quantity: 0.3 }));
    const resting = await patient.place(account, {
      execution_type: "LIMIT",
      trade_pair: "SOLUSDC",
      order_type: "LONG",
      value: 1_000,
      limit_price: 100,
    });
    return { ...account, restingId: resultOf(resting).order_uuid };
  };

  const run = async ({ kind, fault }: { readonly kind: string; readonly fault: string }) => {
    const account = await prepared();
    const before = (await standIn.control.submissions()).length;
    const rule = FAULTS[fault];
    const trade = KINDS[kind]?.(account);
    if (rule === undefined || trade === undefined) throw new Error("a case of the tables");
    await standIn.control.addFault({
      call: "submit",
      hotkey: account.hotkey,
      fault: rule,
      times: 1,
    });
    const placed = await bench.place(account, trade);
    const receipt = await endedReceipt(bench, placed.nonce);
    return { kind, fault, placed, receipt, before, hotkey: account.hotkey };
  };

  test("every fault of every kind ends as the stand-in says, and nothing is sent twice", async () => {
    const slots = createSlots(CONCURRENT);
    const ends = await Promise.all(CASES.map((one) => slots.take(() => run(one))));
    // The network may still work on some orders; their ends must not differ from the receipts.
    await new Promise((resolve) => setTimeout(resolve, 2 * SHORT_TIMES.callMs));
    const submissions = await standIn.control.submissions();
    const wrong = ends.filter(({ receipt, placed, hotkey, before }) => {
      const arrived = submissions.slice(before).filter((one) => one.hotkey === hotkey);
      const accepted = arrived.filter(({ isAccepted }) => isAccepted).length;
      const isTwice = arrived.length > 1 || accepted > 1;
      const isAnsweredAlike = placed.answer.ok
        ? receipt.fate === "accepted"
        : placed.answer.rejection.error === "unknownFate" || receipt.fate === "rejected";
      return isTwice || !isAnsweredAlike || (receipt.fate === "accepted") !== (accepted === 1);
    });
    expect(wrong.map(({ kind, fault, receipt }) => [kind, fault, receipt])).toEqual([]);
    expect(bench.faults).toEqual([]);
    expect((await standIn.control.contents()).filter(({ accepted }) => accepted > 1)).toEqual([]);
    const accepted = ends.filter(({ receipt }) => receipt.fate === "accepted");
    expect(accepted.filter(({ receipt, kind }) => lacksOrder(receipt, kind)).map(named)).toEqual(
      [],
    );
  });
});

const named = ({ kind, fault }: { readonly kind: string; readonly fault: string }): string =>
  `${kind} ${fault}`;

/** Whether the receipt of a placed or edited order has no record of it. */
function lacksOrder(receipt: WriteFate, kind: string): boolean {
  if (receipt.fate !== "accepted") return true;
  const { order } = storedResultOf(receipt);
  const isAct = /cancel|flatten/i.test(kind);
  return isAct ? order !== null : order === null;
}
