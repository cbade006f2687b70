import { type PendingOrder, type PositionItem, SIGNED_ENDPOINTS } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectDescribedAnswer } from "../../testing/described-answer.ts";
import {
  type LinkedService,
  type LinkedTestAccount,
  openLinkedService,
} from "../../testing/linked-service.ts";

const COOLDOWN_MS = 6_000;
const FRESH_MS = 11_000;
const LISTED = '"trade_pair_id":"TAOUSDC","trade_pair":"TAO/USDC"';
const INSTEAD = '"trade_pair_id":"ELSEWHERE","trade_pair":"ELSE/WHERE"';
const TAO = { trade_pair: "TAOUSDC", order_type: "LONG", quantity: 1 } as const;
const READS = ["getAccount", "getPositions", "getOrders", "getTrades", "getPayouts"] as const;

/** The validator trades TAOUSDC, but its list of pairs lacks it. No catalogue of this service knows the pair. */
describe("a linked account with a pair that the validator does not list [D13.unknownPair] [D13.unlistedPair]", () => {
  let service: LinkedService;
  let holder: LinkedTestAccount;
  let other: LinkedTestAccount;
  beforeAll(async () => {
    service = await openLinkedService();
    const { control } = service.standIn;
    await control.addFault({
      call: "pairs",
      fault: { kind: "replace", text: LISTED, by: INSTEAD },
    });
    await control.setPrices({
      TAOUSDC: { bid: 400, ask: 400 },
      BTCUSDC: { bid: 50_000, ask: 50_000 },
    });
    holder = await service.newLinked({ assetClass: "all_markets" });
    other = await service.newLinked({ assetClass: "all_markets" });
    await order(other, { ...TAO, execution_type: "MARKET", trade_pair: "BTCUSDC" });
    await order(holder, { ...TAO, execution_type: "MARKET", stop_loss: 300 });
    await order(holder, { ...TAO, execution_type: "LIMIT", limit_price: 350 });
    await service.harness.time.pass(FRESH_MS);
    return () => service.close();
  });

  const order = async ({ signer }: LinkedTestAccount, trade: object) => {
    const reply = await service.harness.order(trade, { signer });
    expect([trade, reply.status, reply.text]).toEqual([trade, 200, expect.any(String)]);
    await service.harness.time.pass(COOLDOWN_MS);
  };
  const read = async <Data>({ signer }: LinkedTestAccount, name: (typeof READS)[number]) => {
    const reply = await service.harness.call(SIGNED_ENDPOINTS[name].path, { signer });
    expect([name, reply.status]).toEqual([name, 200]);
    expectDescribedAnswer(name, reply, "vanta");
    return (reply.json() as { readonly data: Data }).data;
  };
  const warnings = async () =>
    ((await service.operator.data("GET", "/health")).prices as { readonly warnings: unknown })
      .warnings;

  test("a linked account with an unlisted pair is answered by every read, under the pair's display form", async () => {
    for (const name of READS) await read(holder, name);
    expect(await read<readonly PositionItem[]>(holder, "getPositions")).toMatchObject([
      { tradePair: "TAO/USDC", tradePairDisplay: "TAO/USDC", netQuantity: 1, stopLoss: 300 },
    ]);
    const orders = await read<readonly PendingOrder[]>(holder, "getOrders");
    expect(orders).toMatchObject([
      { tradePair: "TAO/USDC", executionType: "BRACKET", stopLoss: 300 },
      { tradePair: "TAO/USDC", executionType: "LIMIT", limitPrice: 350 },
    ]);
  });

  test("a linked account with an unlisted pair is answered by the additive reads and the pages as an account of a known pair is", async () => {
    const instruments = await service.harness.get("instruments", { signer: holder.signer });
    expect([instruments.status, instruments.text.includes("TAOUSDC")]).toEqual([200, false]);
    for (const name of ["quotes", "events", "order-history", "fills"]) {
      const status = async ({ signer }: LinkedTestAccount) =>
        (await service.harness.get(name, { signer })).status;
      expect([name, await status(holder)]).toEqual([name, await status(other)]);
    }
    const browser = await service.harness.signIn("owner");
    const [position] = await read<readonly PositionItem[]>(holder, "getPositions");
    for (const page of [
      "state",
      "equity?window=1D",
      "trades",
      `trades/${position?.positionUuid}/fills`,
      "payouts?limit=10",
    ]) {
      const { status } = await browser.call("GET", `/accounts/${holder.accountId}/${page}`);
      expect([page, status]).toEqual([page, 200]);
    }
  });

  test("a linked account with an unlisted pair is named by health with its number of accounts, and the other account by nothing", async () => {
    expect(await warnings()).toEqual([
      {
        source: "validator",
        reason: "linked accounts have a pair that the validator does not list",
        count: 1,
        first: "TAO/USDC",
      },
    ]);
    expect(await read<readonly PositionItem[]>(other, "getPositions")).toMatchObject([
      { tradePair: "BTCUSDC", tradePairDisplay: "BTC/USDC", netQuantity: 1 },
    ]);
    for (const name of READS) await read(other, name);
  });

  test("a linked account with an unlisted pair closes its position and cancels its order, and is counted no longer", async () => {
    const leaver = await service.newLinked({ assetClass: "all_markets" });
    await order(leaver, { ...TAO, execution_type: "MARKET" });
    await order(leaver, { ...TAO, execution_type: "LIMIT", limit_price: 350 });
    await service.harness.time.pass(FRESH_MS);
    const [resting] = await read<readonly PendingOrder[]>(leaver, "getOrders");
    expect(await warnings()).toMatchObject([{ count: 2, first: "TAO/USDC" }]);
    await order(leaver, { execution_type: "MARKET", order_type: "FLAT", trade_pair: "TAOUSDC" });
    await order(leaver, { execution_type: "LIMIT_CANCEL", order_uuid: resting?.orderUuid });
    await service.harness.time.pass(FRESH_MS);
    expect(await read(leaver, "getPositions")).toEqual([]);
    expect(await read(leaver, "getOrders")).toEqual([]);
    expect(await read(leaver, "getTrades")).toMatchObject([{ tradePair: "TAO/USDC" }]);
    expect(await warnings()).toMatchObject([{ count: 1, first: "TAO/USDC" }]);
  });

  test("a linked account with an unlisted pair leaves no fault in the log", async () => {
    for (const name of READS) await read(holder, name);
    expect(service.harness.logged.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
  });
});
