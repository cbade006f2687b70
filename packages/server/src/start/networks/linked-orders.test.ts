import type { OrderResult, PendingOrder, PositionItem } from "@propgate/contract";
import type { Fault } from "@propgate/stand-in";
import { beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import {
  type LinkedService,
  type LinkedTestAccount,
  openLinkedService,
} from "../../testing/linked-service.ts";

type Trade = Readonly<Record<string, unknown>>;

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSDC", order_type: "LONG", quantity: 0.5 };
const SELL = { ...BUY, order_type: "SHORT", quantity: 0.2 };
const ENTRY = { ...BUY, execution_type: "LIMIT", limit_price: 49_500, stop_loss: 45_000 };
const FLAT_ALL = { execution_type: "FLAT_ALL" };
const LEGS = [
  { stop_loss: 45_000, bracket_pct: 0.5 },
  { stop_loss: 44_000, bracket_pct: 0.5 },
];
const MINUTE_MS = 60_000;

/** Orders at a validator that fills by itself, and whose answers cannot always be believed. */
describe("an order of a linked account", () => {
  let service: LinkedService;
  let subject: LinkedTestAccount;
  beforeEach(async () => {
    service = await openLinkedService();
    await service.standIn.control.setPrices({ BTCUSDC: { bid: 50_000, ask: 50_000 } });
    subject = await service.newLinked();
    return () => service.close();
  });

  const send = async (trade: Trade) => {
    const { status, text, sent } = await placed(trade);
    return { status, sent, body: JSON.parse(text) as { data: OrderResult; error: string } };
  };
  const placed = async (trade: Trade) => {
    const { signer } = subject;
    const nonce = crypto.randomUUID();
    const reply = await service.harness.order(trade, { signer, nonce });
    return { ...reply, sent: nonce };
  };
  const done = async (trade: Trade): Promise<OrderResult> => {
    const { status, body } = await send(trade);
    expect([status, body.error]).toEqual([200, undefined]);
    return body.data;
  };
  const refused = async (trade: Trade): Promise<string> => {
    const { status, body } = await send(trade);
    expect([status, body.data]).toEqual([400, undefined]);
    return body.error;
  };
  const read = async <Data>(path: string): Promise<Data> => {
    const { text } = await service.harness.get(path, { signer: subject.signer });
    return (JSON.parse(text) as { data: Data }).data;
  };
  const positions = () => read<readonly PositionItem[]>("positions");
  const orders = () => read<readonly PendingOrder[]>("orders");
  const price = (at: number) =>
    service.standIn.control.setPrices({ BTCUSDC: { bid: at, ask: at } });
  const meet = (fault: Fault) =>
    service.standIn.control.addFault({
      call: "submit",
      hotkey: subject.hotkey,
      times: 1,
      fault,
    });
  const submitted = async () => (await service.standIn.control.submissions()).length;
  /** Places an entry that fills at the validator after the last reading. */
  const filledUnseen = async (trade: Trade = ENTRY): Promise<string> => {
    const { order_uuid } = await done(trade);
    expect(await positions()).toEqual([]);
    await price(49_400);
    return order_uuid;
  };
  /** Waits until the receipt of an order whose fate was unknown is final, and returns it. */
  const ended = async (nonce: string) => {
    await service.harness.time.pass(2 * MINUTE_MS);
    return eventually(async () => {
      await service.harness.time.pass(1_000);
      const receipt = await read<{
        fate: string;
        result: OrderResult | null;
        error: string | null;
      }>(`receipts/${nonce}`);
      expect(receipt.fate).not.toBe("pending");
      return receipt;
    });
  };

  test("FLAT_ALL of a pair closes the position of an entry that filled since the last reading [D13.linkedSight]", async () => {
    await filledUnseen();
    const flat = await done({ ...FLAT_ALL, trade_pair: "BTCUSDC" });
    expect(flat).toMatchObject({ status: "flattened", closed: [{ tradePair: "BTCUSDC" }] });
    expect(await positions()).toEqual([]);
  });

  test("FLAT_ALL names the position of an entry that filled since the last reading, or on the way [D13.linkedSight]", async () => {
    const id = await filledUnseen();
    expect(await done(FLAT_ALL)).toMatchObject({ order_uuid: id, message: "1 position closed." });
    await price(50_000);
    const { order_uuid } = await done(ENTRY);
    await meet({ kind: "fill", when: "before" });
    expect(await done(FLAT_ALL)).toMatchObject({ order_uuid, stayed: [] });
    await done(ENTRY);
    await meet({ kind: "fill", when: "after" });
    const late = await send(FLAT_ALL);
    expect([late.status, late.body.error]).toEqual([
      400,
      "Nothing could be closed: BTC/USDC stays open",
    ]);
    expect(await positions()).toHaveLength(1);
  });

  test("LIMIT_CANCEL of an entry that filled since the last reading is rejected, and its stop stays [D13.oneOrder]", async () => {
    const id = await filledUnseen();
    const error = await refused({ execution_type: "LIMIT_CANCEL", order_uuid: id });
    expect(error).toContain(`${id} is not a pending order`);
    expect(await positions()).toMatchObject([{ stopLoss: 45_000 }]);
    await price(50_000);
    const other = (await done(ENTRY)).order_uuid;
    const both = await done({ execution_type: "LIMIT_CANCEL", order_uuid: `${id},${other}` });
    expect(both).toMatchObject({ order_uuid: other, notFound: [id] });
    expect(await positions()).toMatchObject([{ stopLoss: 45_000 }]);
  });

  test("LIMIT_CANCEL of an entry that fills on the way names the leg that went, and the position that has no stop [D13.linkedSight]", async () => {
    const { order_uuid: id } = await done(ENTRY);
    await meet({ kind: "fill", when: "before" });
    expect(await done({ execution_type: "LIMIT_CANCEL", order_uuid: id })).toMatchObject({
      order_uuid: `${id}-bracket-0`,
      notFound: [id],
      message: `1 order cancelled. No longer open: ${id}. Open without a stop: BTC/USDC.`,
    });
  });

  test("LIMIT_CANCEL of all cancels the leg of an entry that filled unseen, and says so [D13.nakedNamed D13.linkedSight]", async () => {
    const id = await filledUnseen();
    const all = await done({ execution_type: "LIMIT_CANCEL", order_uuid: "ALL" });
    expect(all).toMatchObject({
      order_uuid: `${id}-bracket-0`,
      message: "1 order cancelled. Open without a stop: BTC/USDC.",
    });
  });

  test("acts that depend on what is open are not sent while the account cannot be read [D13.linkedSight]", async () => {
    const { order_uuid: id } = await done(ENTRY);
    const cut = { kind: "cut", when: "before" } as const;
    await service.standIn.control.addFault({ call: "dashboard", fault: cut });
    const before = await submitted();
    for (const trade of [
      { ...FLAT_ALL, trade_pair: "BTCUSDC" },
      { execution_type: "LIMIT_CANCEL", order_uuid: id },
    ]) {
      const { status, body } = await send(trade);
      expect([status, body.error]).toEqual([500, expect.stringContaining("was not accepted")]);
    }
    expect(await submitted()).toBe(before);
    const { sent, status } = await send(FLAT_ALL);
    expect([status, await submitted()]).toEqual([500, before + 1]);
    await service.standIn.control.clearFaults();
    expect(await ended(sent)).toMatchObject({ fate: "accepted", result: { closed: [] } });
  });

  test("an edit of an entry that has filled changes and adds no leg [D13.keptLegs D13.oneOrder]", async () => {
    const listed = { ...ENTRY, stop_loss: undefined, bracket_orders: LEGS };
    const edit = (order_uuid: string) =>
      ({ ...listed, execution_type: "LIMIT_EDIT", order_uuid, limit_price: 49_300 }) as const;
    const id = await filledUnseen(listed);
    expect(await refused(edit(id))).toContain(`${id} is not a pending order`);
    expect(await orders()).toHaveLength(2);
    await done(FLAT_ALL);
    await price(50_000);
    const { order_uuid } = await done(listed);
    await meet({ kind: "fill", when: "before" });
    expect(await refused(edit(order_uuid))).toContain(`${order_uuid} is not a pending order`);
    const legs = await orders();
    expect(legs.map((leg) => leg.orderUuid)).toEqual(
      [0, 1].map((place) => `${order_uuid}-bracket-${place}`),
    );
  });

  test("an order that its trader placed at the validator under an id in capitals is read by that id, and cancelled by it in any letters [D12.idCase]", async () => {
    const { gatewayUrl, keys } = service.standIn;
    const subaccount_id = Number(subject.hotkey.split("_").at(-1));
    for (const written of [(id: string) => id, (id: string) => id.toLowerCase()]) {
      const id = crypto.randomUUID().toUpperCase();
      const reply = await fetch(`${gatewayUrl}/api/submit-order`, {
        method: "POST",
        headers: { Authorization: `Bearer ${keys.gateway}`, "Content-Type": "application/json" },
        body: JSON.stringify({ ...ENTRY, order_uuid: id, subaccount_id }),
      });
      expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining(id)]);
      await service.harness.time.pass(11_000);
      expect(await orders()).toMatchObject([{ orderUuid: id }]);
      expect(await read(`orders/${id}`)).toMatchObject({ orderUuid: id, status: "resting" });
      const cancel = { execution_type: "LIMIT_CANCEL", order_uuid: written(id) };
      expect(await done(cancel)).toMatchObject({ order_uuid: id, message: "1 order cancelled." });
      expect(await orders()).toEqual([]);
    }
  });

  test("an answer shows no stop and no target that the validator refused [D13.oneReading]", async () => {
    for (const wrong of [{ stop_loss: 51_000 }, { take_profit: 49_000 }]) {
      const { order, error_message } = await done({ ...BUY, ...wrong });
      expect(order).toMatchObject({ stopLoss: null, takeProfit: null, bracketOrders: null });
      expect(error_message).toContain("legs were not attached");
      expect(await positions()).toMatchObject([{ stopLoss: null, takeProfit: null }]);
    }
    const { order } = await done({ ...SELL, stop_loss: 52_000 });
    expect(order).toMatchObject({ orderType: "SHORT", stopLoss: null, bracketOrders: null });
    const closing = await done({ ...SELL, quantity: 5, stop_loss: 52_000 });
    expect(closing.order).toMatchObject({ stopLoss: null, bracketOrders: null });
    expect(await positions()).toEqual([]);
  });

  test("an answer shows the legs that stand beside one that was refused [D13.oneReading]", async () => {
    await meet({ kind: "refuseLegs", from: 1 });
    const { order, error_message } = await done({ ...BUY, bracket_orders: LEGS });
    expect(order).toMatchObject({ stopLoss: 45_000, bracketOrders: [{ stopLoss: 45_000 }] });
    expect(error_message).toContain("not all legs were attached");
  });

  test("a leg that is edited without a size is for the whole position, in the answer and at the validator", async () => {
    const { order_uuid } = await done({
      ...BUY,
      bracket_orders: [{ stop_loss: 45_000, quantity: 0.1 }],
    });
    const { order } = await done({
      execution_type: "LIMIT_EDIT",
      order_uuid: `${order_uuid}-bracket-0`,
      trade_pair: "BTCUSDC",
      stop_loss: 46_000,
    });
    expect(order).toMatchObject({ quantity: null, bracketPct: null, stopLoss: 46_000 });
    const account = await service.standIn.control.subaccount(subject.hotkey);
    expect(account?.resting).toMatchObject([{ quantity: null, bracketPct: 1, stopLoss: 46_000 }]);
  });

  test("a success with nothing done is of unknown fate, and no time makes it a rejection: the receipt says since when [D13.answerInDoubt D13.lastWord]", async () => {
    for (const trade of [BUY, ENTRY]) {
      await meet({ kind: "nothingDone" });
      const sentAt = new Date(service.harness.time.clock.now()).toISOString();
      const { status, sent, body } = await send(trade);
      expect([status, body.error]).toEqual([500, expect.stringContaining("may or may not")]);
      for (const minutes of [0, 2, 60]) {
        await service.harness.time.pass(minutes * MINUTE_MS);
        expect(await read(`receipts/${sent}`)).toMatchObject({
          fate: "pending",
          error: expect.stringContaining(`has not said since ${sentAt.slice(0, 16)}`),
        });
      }
    }
    expect([await positions(), await orders()]).toEqual([[], []]);
  });

  test.each(["quantity", "direction"] as const)(
    "an order_json with another %s is not believed: the reading after it decides [D13.answerInDoubt]",
    async (what) => {
      await meet({ kind: "contradict", what });
      const { order, message } = await done(BUY);
      expect(order).toMatchObject({ orderType: "LONG", quantity: 0.5, value: 25_000 });
      expect(message).toBe("LONG BTC/USDC filled: 0.5 lots (25000 USD) at 50000.00.");
    },
  );

  test("a contradiction is of unknown fate while the account cannot be read [D13.answerInDoubt]", async () => {
    await meet({ kind: "contradict", what: "direction" });
    const cut = { kind: "cut", when: "before" } as const;
    await service.standIn.control.addFault({ call: "dashboard", fault: cut });
    const { status, sent } = await send(BUY);
    expect(status).toBe(500);
    await service.standIn.control.clearFaults();
    expect((await ended(sent)).result?.order).toMatchObject({ orderType: "LONG", quantity: 0.5 });
  });

  test("a position with only a trailing leg shows the level at which it would be stopped", async () => {
    await done({ ...BUY, trailing_stop: { trailing_percent: 0.1 } });
    expect(await positions()).toMatchObject([{ stopLoss: 45_000 }]);
    await price(52_000);
    await service.harness.time.pass(11_000);
    expect(await positions()).toMatchObject([{ stopLoss: 46_800 }]);
  });

  test("a BRACKET and a leg's edit that would fire at the mark are rejected with the mark [D10.firesAtOnce]", async () => {
    const { order_uuid } = await done({ ...BUY, stop_loss: 45_000 });
    const stop = { trade_pair: "BTCUSDC", stop_loss: 50_500 };
    for (const trade of [
      { execution_type: "BRACKET", ...stop },
      { execution_type: "LIMIT_EDIT", order_uuid: `${order_uuid}-bracket-0`, ...stop },
    ]) {
      expect(await refused(trade)).toContain(
        "'stop_loss' 50500 must be below the mid 50000, or it would trigger immediately",
      );
    }
    await price(51_000);
    await done({ execution_type: "BRACKET", ...stop });
    expect(await positions()).toMatchObject([{ stopLoss: 50_500 }]);
  });
});
