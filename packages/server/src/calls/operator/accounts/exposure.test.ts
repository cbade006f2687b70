import type { ExposureItem, OperatorAccount, PositionItem, StressItem } from "@propgate/contract";
import { leverage } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../../testing/harness.ts";
import { madeCatalogue, madeInstrument } from "../../../testing/made-instrument.ts";
import { createOperatorClient, type OperatorClient } from "../../../testing/operator-client.ts";
import type { Signer } from "../../../testing/signed-request.ts";

const CAPS = { tier1: leverage(20), tier2: leverage(20), tier3: leverage(20), pro: leverage(20) };
const FOREX = { assetClass: "forex", lotSize: 100_000, leverageCaps: CAPS } as const;
const INSTRUMENTS = madeCatalogue(
  madeInstrument("BTCUSD", { leverageCaps: CAPS }),
  madeInstrument("EURUSD", FOREX),
  madeInstrument("USDJPY", FOREX),
);

let service: Harness;
let operator: OperatorClient;
let signers: readonly Signer[];

async function positions(): Promise<readonly PositionItem[]> {
  const replies = await Promise.all(signers.map((signer) => service.get("positions", { signer })));
  return replies.flatMap((reply) => (reply.json() as { data: readonly PositionItem[] }).data);
}

async function items<Item>(path: string): Promise<readonly Item[]> {
  return (await operator.data("GET", path)).items as readonly Item[];
}

beforeAll(async () => {
  service = await openHarness({ instruments: INSTRUMENTS });
  operator = createOperatorClient(service);
  await service.quote("BTCUSD", 50_000, 50_010);
  await service.quote("EURUSD", 1.1, 1.1002);
  await service.quote("USDJPY", 150, 150.01);
  const made: Signer[] = [];
  for (const value of [20_000, 80_000, 99_000]) {
    const opened = await operator.data("POST", "/accounts", { size: 100_000, ownerId: "Ann" });
    const accountId = String(opened.accountId) as Harness["accountId"];
    const signer = await service.newKey({ accountId });
    made.push(signer);
    const order = { execution_type: "MARKET", value };
    await service.order({ ...order, trade_pair: "BTCUSD", order_type: "LONG" }, { signer });
    await service.order({ ...order, trade_pair: "EURUSD", order_type: "SHORT" }, { signer });
    await service.order({ ...order, trade_pair: "USDJPY", order_type: "LONG" }, { signer });
  }
  signers = made;
  return () => service.close();
});

describe("exposures and stresses of all accounts", () => {
  test("exposures add up the positions' own values, by pair and by currency [D9.exposure]", async () => {
    const all = await positions();
    expect(all.length).toBeGreaterThan(6);
    const sum = (pair: string, sign: number): number =>
      all
        .filter(({ tradePair, netValue }) => tradePair === pair && netValue * sign > 0)
        .reduce((total, { netValue }) => total + Math.abs(netValue), 0);
    const byPair = await items<ExposureItem>("/exposure?by=pair");
    expect(byPair.map(({ key }) => key)).toEqual(["BTCUSD", "EURUSD", "USDJPY"]);
    for (const { key, long, short, gross, net } of byPair) {
      expect(long).toBeCloseTo(sum(key, 1), 5);
      expect(short).toBeCloseTo(sum(key, -1), 5);
      expect(gross).toBeCloseTo(sum(key, 1) + sum(key, -1), 5);
      expect(net).toBeCloseTo(sum(key, 1) - sum(key, -1), 5);
    }
    const byCurrency = await items<ExposureItem>("/exposure?by=currency");
    expect(byCurrency.map(({ key }) => key)).toEqual(["EUR", "JPY", "USD"]);
    expect(byCurrency[0]?.short).toBeCloseTo(sum("EURUSD", -1), 5);
    expect(byCurrency[1]?.short).toBeCloseTo(sum("USDJPY", 1), 5);
    expect(byCurrency[2]?.long).toBeCloseTo(sum("EURUSD", -1) + sum("USDJPY", 1), 5);
  });

  test("exposures take the filters of the accounts, and answer files", async () => {
    expect(await items("/exposure?by=pair&ownerId=nobody")).toEqual([]);
    const file = await fetch(`http://127.0.0.1:${service.port}/operator/v1/exposure?format=csv`, {
      headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    expect((await file.text()).split("\r\n")[0]).toBe("key,long,short,gross,net,accounts");
  });

  test.each([
    ["/exposure?by=colour", /^by: /],
    ["/stress?movePct=-100", /^movePct: /],
    ["/stress?movePct=1,1", /^movePct: /],
    ["/stress?movePct=x", /^movePct: /],
    ["/stress?sort=size", /^sort/],
    ["/stress?status=asleep", /^status: /],
  ])("GET %s is refused by name", async (path, problem) => {
    const [status, error] = await operator.refusal("GET", path);
    expect([status, String(error)]).toEqual([400, expect.stringMatching(problem)]);
  });

  test("the ids of accounts in a filter are compared without case [D12.lists]", async () => {
    const [{ accountId } = { accountId: "" }] = await items<OperatorAccount>("/accounts?sort=size");
    expect(accountId).not.toBe(accountId.toUpperCase());
    const other = "00000000-0000-4000-8000-00000000000A";
    const filter = `accountId=${other},${accountId.toUpperCase()}`;
    expect(await items<OperatorAccount>(`/accounts?${filter}`)).toMatchObject([{ accountId }]);
    expect(await items(`/exposure?by=pair&${filter}`)).toEqual(
      await items(`/exposure?by=pair&accountId=${accountId}`),
    );
    expect(await items(`/exposure?by=pair&${filter}`)).not.toEqual([]);
    const audit = await items(`/audit?accountId=${accountId}`);
    expect(audit).not.toEqual([]);
    expect(await items(`/audit?${filter}`)).toEqual(audit);
    expect(await items(`/audit?subject=${accountId.toUpperCase()}`)).toEqual(
      await items(`/audit?subject=${accountId}`),
    );
  });

  test("an owner's id counts its case, also one that looks like a uuid", async () => {
    const ownerId = "0A6E4F5C-12AB-4CDE-8F01-0123456789AB";
    await operator.data("POST", "/accounts", { size: 100_000, ownerId });
    expect(await items(`/accounts?ownerId=${ownerId}`)).toHaveLength(1);
    expect(await items(`/accounts?ownerId=${ownerId.toLowerCase()}`)).toEqual([]);
    const lower = "0a6e4f5c-12ab-4cde-8f01-0123456789ac";
    await operator.data("POST", "/accounts", { size: 100_000, ownerId: lower });
    expect(await items(`/accounts?ownerId=${lower.toUpperCase()}`)).toEqual([]);
  });

  test("a stress says what the same move of the prices then does [D9.stress]", async () => {
    const accounts = () => items<OperatorAccount>("/accounts?ownerId=Ann&sort=accountId");
    const before = await accounts();
    for (const [pair, movePct, quote] of [
      ["USDJPY", 2, [150 * 1.02, 150.01 * 1.02]],
      ["BTCUSD", -12, [50_000 * 0.88, 50_010 * 0.88]],
    ] as const) {
      const start = await accounts();
      const stressed = await items<StressItem>(`/stress?by=pair&movePct=${movePct}&ownerId=Ann`);
      const said = stressed.find(({ key }) => key === pair);
      await service.quote(pair, quote[0], quote[1]);
      const after = await accounts();
      const ended = after.filter(({ status }, at) => status !== start[at]?.status);
      expect(said?.ends).toBe(ended.length);
      const gained = after.reduce(
        (sum, { equity }, at) => sum + (equity ?? 0) - (start[at]?.equity ?? 0),
        0,
      );
      expect(said?.pnl).toBeCloseTo(gained, 4);
    }
    const survivors = (await accounts()).filter(({ status }) => status === "active");
    expect([before.length, survivors.length]).toEqual([3, 1]);
  });
});
