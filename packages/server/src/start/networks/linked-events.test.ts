import type { AccountEvent, EventsPage, Linked, OrderResult } from "@propgate/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { expectDescribed } from "../../testing/described-answer.ts";
import {
  type LinkedService,
  type LinkedSubject,
  openLinkedService,
} from "../../testing/linked-service.ts";

type Trade = Readonly<Record<string, unknown>>;

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSDC", order_type: "LONG", quantity: 0.5 };
const ENTRY = { ...BUY, execution_type: "LIMIT", limit_price: 49_500, stop_loss: 45_000 };
const READING_MS = 10_000;

/** The events of an account whose validator is a stand-in behind real HTTP. */
describe("the events of a linked account [D13.observed]", () => {
  let service: LinkedService;
  let subject: LinkedSubject;
  beforeEach(async () => {
    service = await openLinkedService();
    await service.standIn.control.setPrices({ BTCUSDC: { bid: 50_000, ask: 50_000 } });
    subject = await service.newLinked();
    return () => service.close();
  });

  const get = async (path: string) => service.harness.get(path, { signer: subject.signer });
  const page = async (query = ""): Promise<EventsPage<Linked>> => {
    const reply = await get(`events${query}`);
    expectDescribed("getEvents", reply, "vanta");
    return (reply.json() as { data: EventsPage<Linked> }).data;
  };
  const events = async (): Promise<readonly AccountEvent<Linked>[]> => (await page()).items;
  const place = async (trade: Trade, nonce: string = crypto.randomUUID()): Promise<OrderResult> => {
    const reply = await service.harness.order(trade, { signer: subject.signer, nonce });
    expect(reply.text).toContain('"success":true');
    return (reply.json() as { data: OrderResult }).data;
  };
  /** Reads the account once the last reading is old. */
  const readLater = async () => {
    await service.harness.time.pass(READING_MS);
    expect((await get("account")).status).toBe(200);
  };
  const price = (at: number) =>
    service.standIn.control.setPrices({ BTCUSDC: { bid: at, ask: at } });

  test("begin with the link", async () => {
    await readLater();
    await place(BUY, "buy");
    console.log(JSON.stringify(await events(), null, 1));
    await place(ENTRY, "entry");
    await readLater();
    await price(49_400);
    await readLater();
    await price(44_000);
    await readLater();
    console.log((await events()).slice(2).map((e) => JSON.stringify(e)).join("\n"));
  });
});
