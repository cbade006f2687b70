import type { InstrumentItem } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { TEST_TERMS } from "../../../testing/counting-decider.ts";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import type { Signer } from "../../../testing/signed-request.ts";

describe("GET instruments answers 200 [D9.instruments]", () => {
  const { service, call } = openEndpointUnderTest("getInstruments");
  const list = async (signer?: Signer): Promise<readonly InstrumentItem[]> => {
    const reply = await call(signer === undefined ? {} : { signer });
    expect(reply.status, reply.text).toBe(200);
    const body: { data: readonly InstrumentItem[] } = JSON.parse(reply.text);
    return body.data;
  };

  test("GET instruments answers every pair with what binds its orders", async () => {
    const [bitcoin, euro, ...more] = await list();
    expect(more).toEqual([]);
    expect(bitcoin).toMatchObject({
      tradePair: "BTCUSD",
      assetClass: "crypto",
      quoteCurrency: "USD",
      lotSize: 1,
      lotUnit: expect.stringMatching(/^1 /),
      leverageCap: 1.5,
      feePercent: 0.03,
      isTradable: true,
    });
    expect(euro).toMatchObject({ tradePair: "EURUSD", lotSize: 100_000 });
    expect(euro?.lotUnit).toMatch(/^100,000 /);
  });

  test("a pair outside the account's class is listed and not tradable", async () => {
    const accountId = await service().newAccount({
      terms: { ...TEST_TERMS, assetClass: "crypto" },
    });
    const pairs = await list(await service().newKey({ accountId }));
    expect(pairs.map(({ tradePair, isTradable }) => [tradePair, isTradable])).toEqual([
      ["BTCUSD", true],
      ["EURUSD", false],
    ]);
  });

  test("an ended account can trade no pair", async () => {
    const accountId = await service().newAccount();
    await service().accounts.eliminate(accountId, "INACTIVE");
    const pairs = await list(await service().newKey({ accountId }));
    expect(pairs.some(({ isTradable }) => isTradable)).toBe(false);
  });
});
