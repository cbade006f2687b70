import type {
  AccountEvent,
  EventsPage,
  Fills,
  Linked,
  OrderHistory,
  OrderLife,
  OrderResult,
} from "@propgate/contract";
import { orderPath } from "@propgate/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { expectDescribedAnswer } from "../../testing/described-answer.ts";
import {
  type LinkedService,
  type LinkedTestAccount,
  openLinkedService,
} from "../../testing/linked-service.ts";
import { openStream } from "../../testing/open-stream.ts";

type Trade = Readonly<Record<string, unknown>>;

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSDC", order_type: "LONG", quantity: 0.5 };
const ENTRY = { ...BUY, execution_type: "LIMIT", limit_price: 49_500, stop_loss: 45_000 };
const FLAT_ALL = { execution_type: "FLAT_ALL" };
const READING_MS = 10_000;
/** After this time every account is read in full again. */
const FULL_MS = 600_000;

/** The events of an account whose validator is a stand-in behind real HTTP. */
describe("the events of a linked account [D13.observed]", () => {
  let service: LinkedService;
  let subject: LinkedTestAccount;
  beforeEach(async () => {
    service = await openLinkedService();
    await price(50_000);
    subject = await service.newLinked();
    return () => service.close();
  });

  const get = (path: string) => service.harness.get(path, { signer: subject.signer });
  const page = async (query = ""): Promise<EventsPage<Linked>> => {
    const reply = await get(`events${query}`);
    expectDescribedAnswer("getEvents", reply, "vanta");
    return (reply.json() as { data: EventsPage<Linked> }).data;
  };
  const events = async (): Promise<readonly AccountEvent<Linked>[]> => (await page()).items;
  const send = (trade: Trade, nonce: string = crypto.randomUUID()) =>
    service.harness.order(trade, { signer: subject.signer, nonce });
  const place = async (trade: Trade, nonce?: string): Promise<OrderResult> => {
    const reply = await send(trade, nonce);
    expect(reply.text).toContain('"success":true');
    return (reply.json() as { data: OrderResult }).data;
  };
  /** Passes the time after which the last reading is old, and reads the account. */
  const readLater = async (ms = READING_MS) => {
    await service.harness.time.pass(ms);
    expect((await get("account")).status).toBe(200);
  };
  const price = (at: number) =>
    service.standIn.control.setPrices({ BTCUSDC: { bid: at, ask: at } });
  const summary = async () =>
    (await events()).map(({ type, cause }) => `${type} by ${cause.nonce ?? cause.by}`);

  test("the events begin with the link, and show the life of orders with the requests that caused it", async () => {
    await place(BUY, "buy");
    await place(ENTRY, "entry");
    await price(49_400);
    await readLater();
    await price(44_000);
    await readLater();
    expect(await summary()).toEqual([
      "account.opened by operator",
      "order.filled by buy",
      "order.resting by entry",
      "order.filled by validator",
      "legs.attached by validator",
      "order.filled by validator",
      "position.closed by validator",
    ]);
    const all = await events();
    expect(all.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(all.every(({ observed }) => observed === true)).toBe(true);
    const times = all.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(all[0]).toMatchObject({ data: { size: 100_000, programId: null, provisioned: true } });
    expect(all[6]).toMatchObject({ data: { realizedPnl: -4_750, status: "CLOSED" } });
  });

  test("a reading that shows the same again adds nothing, also one that reads everything again", async () => {
    await place(BUY, "buy");
    await place({ ...FLAT_ALL }, "flat");
    const before = await events();
    expect(await summary()).toEqual([
      "account.opened by operator",
      "order.filled by buy",
      "order.filled by flat",
      "position.closed by validator",
    ]);
    await readLater();
    await readLater(FULL_MS);
    await price(51_000);
    await readLater(FULL_MS);
    expect(await events()).toEqual(before);
  });

  test("an order whose answer is lost has its event when a reading shows it, once, with its key", async () => {
    await service.standIn.control.addFault({
      call: "submit",
      hotkey: subject.hotkey,
      times: 1,
      fault: { kind: "cut", when: "after" },
    });
    expect((await send(BUY, "lost")).status).toBe(500);
    await eventually(async () => {
      await service.harness.time.pass(1_000);
      const receipt = (await get("receipts/lost")).json() as { data: { fate: string } };
      expect(receipt.data.fate).toBe("accepted");
    });
    await readLater(FULL_MS);
    expect(await summary()).toEqual(["account.opened by operator", "order.filled by lost"]);
  });

  test("a cancel and an edit are their key's, and what the validator does is the validator's", async () => {
    const { order_uuid } = await place(ENTRY, "entry");
    const edit = { ...ENTRY, execution_type: "LIMIT_EDIT", order_uuid, limit_price: 48_000 };
    await place(edit, "edit");
    await place({ execution_type: "LIMIT_CANCEL", order_uuid }, "cancel");
    expect((await summary()).slice(1)).toEqual([
      "order.resting by entry",
      "order.edited by edit",
      "order.cancelled by cancel",
    ]);
    expect((await events()).at(-1)).toMatchObject({ data: { reason: "owner" } });
    await place(BUY, "buy");
    await service.standIn.control.eliminate(subject.hotkey, { reason: "FAILED_CHALLENGE", dd: 8 });
    await readLater();
    expect((await summary()).slice(5)).toEqual([
      "order.filled by validator",
      "position.closed by validator",
      "account.eliminated by validator",
    ]);
    expect((await events()).at(-1)).toMatchObject({ data: { reason: "FAILED_CHALLENGE" } });
  });

  test("the orders and fills are found by their ids, as those of any account", async () => {
    const { order_uuid } = await place(ENTRY, "entry");
    await place(BUY, "buy");
    await price(49_400);
    await readLater();
    const reply = await service.harness.call(orderPath(order_uuid), { signer: subject.signer });
    expectDescribedAnswer("getOrder", reply, "vanta");
    const { data: life } = reply.json() as { data: OrderLife<Linked> };
    expect(life).toMatchObject({
      status: "filled",
      executionType: "LIMIT",
      nonce: "entry",
      filledQuantity: 0.5,
      averagePrice: 49_500,
      fee: null,
      legs: [`${order_uuid}-bracket-0`],
    });
    expect(life.events.map(({ type }) => type)).toEqual([
      "order.resting",
      "order.filled",
      "legs.attached",
    ]);
    const history = await get("order-history");
    expectDescribedAnswer("getOrderHistory", history, "vanta");
    const { items } = (history.json() as { data: OrderHistory<Linked> }).data;
    expect(items.map(({ nonce, status }) => [nonce, status])).toEqual([
      ["entry", "filled"],
      ["buy", "filled"],
      [null, "resting"],
    ]);
    const fills = await get("fills?tradePair=BTCUSDC");
    expectDescribedAnswer("getFills", fills, "vanta");
    expect((fills.json() as { data: Fills<Linked> }).data.items).toHaveLength(2);
    expect((await get("fills?tradePair=ETHUSDC")).json()).toMatchObject({ data: { items: [] } });
    expect((await get("fills?tradePair=NOPE")).status).toBe(400);
    expect((await get(`orders/${crypto.randomUUID()}`)).status).toBe(404);
    const { items: attached, next } = await page("?types=legs.attached");
    expect(attached.map(({ sequence }) => sequence)).toEqual([5]);
    expect(next).toMatch(/^5-/);
  });

  test("an answer names the event up to which it shows the account", async () => {
    await place(BUY, "buy");
    const reply = await get("positions");
    const { head } = await page();
    expect(reply.headers["x-service-account-version"]).toBe(
      `${head.sequence}-${head.hash.slice(0, 32)}`,
    );
  });

  test("a stream and a long poll send what a reading of the background finds", async () => {
    await place(ENTRY);
    const stream = await openStream(service.harness, "?after=0", { signer: subject.signer });
    await stream.until("mark");
    const waiting = page("?after=2&wait=25");
    await price(49_000);
    // No client reads the account: a job reads every linked account.
    await service.harness.time.pass(READING_MS);
    await Promise.all(service.harness.linkedJobs.map((job) => job.run()));
    const seen = stream.until("legs.attached");
    let isSeen = false;
    void seen.then(() => {
      isSeen = true;
    });
    await eventually(async () => {
      await service.harness.time.pass(1_000);
      expect(isSeen).toBe(true);
    });
    expect((await seen).map(({ event }) => event).filter((name) => name !== "mark")).toEqual([
      "order.filled",
      "legs.attached",
    ]);
    expect((await waiting).items).toMatchObject([
      { sequence: 3, type: "order.filled", observed: true },
      { sequence: 4, type: "legs.attached" },
    ]);
    stream.leave();
    const quotes = await get("events/stream?quotes=BTCUSDC");
    expect([quotes.status, quotes.text]).toEqual([400, expect.stringContaining("'quotes'")]);
  });

  test("the operator reads, verifies and exports them; nothing is rebuilt or judged", async () => {
    await place(BUY, "buy");
    const { operator } = service;
    const { items } = await operator.data("GET", `/events?accountId=${subject.accountId}&after=0`);
    expect(items).toMatchObject([{ type: "account.opened" }, { type: "order.filled" }]);
    const about = { accountId: subject.accountId };
    expect(await operator.data("POST", "/journal/verify", about)).toMatchObject({
      events: 2,
      broken: [],
    });
    const none = "observations of its validator, not decisions";
    const rebuilt = await operator.call("POST", "/journal/rebuild", { body: about });
    expect([rebuilt.status, rebuilt.body.error]).toEqual([404, expect.stringContaining(none)]);
    const evidence = await operator.call("GET", `/accounts/${subject.accountId}/evidence`);
    expect([evidence.status, evidence.body.error]).toEqual([404, expect.stringContaining(none)]);
  });

  test("an account that is unlinked ends with its last event, and no reading adds one", async () => {
    await place(BUY, "buy");
    await service.operator.data("POST", `/accounts/${subject.accountId}/close`, {});
    const { items } = await service.operator.data(
      "GET",
      `/events?accountId=${subject.accountId}&after=0`,
    );
    expect(items).toMatchObject([
      { type: "account.opened" },
      { type: "order.filled" },
      { type: "account.closed", cause: { by: "operator", command: "close" } },
    ]);
  });
});
