import type { OperatorAnswer } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../../../../../test/eventually.ts";
import { OWNER } from "../../../testing/harness.ts";
import {
  type LinkedService,
  type LinkedTestAccount,
  openLinkedService,
} from "../../../testing/linked-service.ts";

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSDC", order_type: "LONG", quantity: 0.5 };
const MINUTE_MS = 60_000;

describe("GET /unanswered-orders", () => {
  let service: LinkedService;
  let subject: LinkedTestAccount;
  beforeAll(async () => {
    service = await openLinkedService();
    await service.standIn.control.setPrices({ BTCUSDC: { bid: 50_000, ask: 50_000 } });
    subject = await service.newLinked();
    return () => service.close();
  });
  const listed = async (query = "") => {
    const data = await service.operator.data("GET", `/unanswered-orders?${query}`);
    return data as unknown as OperatorAnswer<"unansweredOrders.list">;
  };
  const nonces = async (query?: string) => (await listed(query)).items.map(({ nonce }) => nonce);
  /** Sends an order. The validator cuts the connection `before` or `after` it has accepted the order. */
  const lost = async (nonce: string, trade: object, when: "before" | "after") => {
    const { hotkey, signer } = subject;
    const fault = { kind: "cut", when } as const;
    await service.standIn.control.addFault({ call: "submit", hotkey, times: 1, fault });
    expect(await service.harness.order(trade, { signer, nonce })).toMatchObject({ status: 500 });
    await service.harness.time.pass(1);
  };

  test("GET /unanswered-orders lists each order that has no outcome with its account, its request, since when and how often it was asked about [D13.lastWord]", async () => {
    expect(await listed()).toEqual({ items: [], next: null, total: 0 });
    await lost("never-arrives", BUY, "before");
    await lost("everything", { execution_type: "FLAT_ALL" }, "before");
    await lost("arrives", { ...BUY, trade_pair: "ETHUSDC" }, "after");
    const { accountId, signer } = subject;
    const { items, total } = await listed();
    expect(total).toBe(3);
    const about = { accountId, ownerId: OWNER, externalId: null, keyId: signer.keyId };
    expect(items).toMatchObject([
      { ...about, nonce: "never-arrives", executionType: "MARKET", tradePair: "BTCUSDC" },
      { nonce: "everything", executionType: "FLAT_ALL", tradePair: null },
      { nonce: "arrives", executionType: "MARKET", tradePair: "ETHUSDC", attempts: 0 },
    ]);
    const [first] = items;
    const sent = await service.harness.get("receipts/never-arrives", { signer });
    expect(sent.text).toContain(new Date(first?.sentAtMs ?? 0).toISOString());

    await service.harness.time.pass(2 * MINUTE_MS);
    await eventually(async () => {
      await service.harness.time.pass(1_000);
      expect(await nonces()).toEqual(["never-arrives", "everything"]);
    });
    expect(await nonces("executionType=FLAT_ALL")).toEqual(["everything"]);
    expect(await nonces(`accountId=${accountId}&tradePair=set&limit=1`)).toEqual(["never-arrives"]);
    expect(await nonces(`sentAtMsMax=${(first?.sentAtMs ?? 0) - 1}`)).toEqual([]);
  });
});
