import type { AuditLine, OperatorPage, OperatorPrice } from "@propgate/contract";
import { pairId } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { CATALOGUE, type Harness, openHarness } from "../../testing/harness.ts";
import { madeCatalogue, madeInstrument } from "../../testing/made-instrument.ts";
import { createOperatorClient } from "../../testing/operator-client.ts";

let service: Harness;
beforeAll(async () => {
  const instruments = madeCatalogue(
    madeInstrument("BTCUSD"),
    madeInstrument("ETHUSD"),
    madeInstrument("EURUSD"),
    madeInstrument("GBPUSD"),
  );
  service = await openHarness({ instruments });
  await service.quote("BTCUSD", 50_000, 50_010);
  return () => service.close();
});

const operator = () => createOperatorClient(service);
const priceOf = async (pair: string) => {
  const { items } = await operator().data("GET", `/prices?pair=${pair}`);
  const price = await operator().data("GET", `/prices/${pair}`);
  expect(items).toMatchObject([{ pair, state: price.state, holders: price.holders }]);
  return price as unknown as OperatorPrice;
};
const buy = async () =>
  (
    await service.order({
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      leverage: 0.1,
    })
  ).text;

describe("the operator's prices", () => {
  test("a halted pair refuses orders like one without a fresh quote, until auto lifts it [D10.haltedFills]", async () => {
    await operator().data("POST", "/prices/BTCUSD/halt", { reason: "split not explained" });
    expect(await priceOf("BTCUSD")).toMatchObject({
      state: "halted",
      quote: { bid: 50_000, ask: 50_010 },
      choice: { kind: "halt", by: "operator token root", reason: "split not explained" },
    });
    expect(await buy()).toContain("fresh");
    // A halted pair accepts no quotes, not even those that a test sends.
    await service.quote("BTCUSD", 51_000, 51_010).catch(() => undefined);
    expect(await priceOf("BTCUSD")).toMatchObject({ quote: { bid: 50_000 } });
    // Like every call, this one also accepts the display name of the pair.
    const lifted = await operator().data("POST", "/prices/btc%2fusd/auto", { version: 1 });
    expect(lifted).toMatchObject({ pair: "BTCUSD", kind: "auto", version: 2 });
    expect(await priceOf("BTCUSD")).toMatchObject({ state: "live" });
    expect(await buy()).toContain("filled");
  });

  test("every choice is in the audit with its reason, also a refused one", async () => {
    await operator().data("POST", "/prices/ETHUSD/halt", { reason: "a wrong print" });
    await operator().refusal("POST", "/prices/GBPUSD/auto", { version: 7 });
    const page = (await operator().data(
      "GET",
      "/audit?deed=prices.halt",
    )) as unknown as OperatorPage<AuditLine>;
    expect(page.items[0]).toMatchObject({
      subject: "ETHUSD",
      detail: "halt: a wrong print",
      by: "operator token root",
    });
    const refused = (await operator().data(
      "GET",
      "/audit?deed=prices.auto",
    )) as unknown as OperatorPage<AuditLine>;
    expect(refused.items[0]).toMatchObject({ subject: "GBPUSD", detail: "auto" });
  });

  test("the second of two operators who saw the same choice is refused with the first's choice", async () => {
    const version = (await priceOf("EURUSD"))?.choice?.version ?? 0;
    await operator().data("POST", "/prices/EURUSD/halt", { reason: "mine", version });
    expect(
      await operator().refusal("POST", "/prices/EURUSD/auto", { reason: "yours", version }),
    ).toEqual([409, "operator token root has chosen halt for EURUSD since; look at it again"]);
    await operator().data("POST", "/prices/EURUSD/auto", {});
  });

  test.each([
    ["/prices/NOSUCH/halt", { reason: "x" }, 404, "NOSUCH is not a pair of the catalogue"],
    ["/prices/%20/halt", { reason: "x" }, 404, "Pair not found"],
    ["/prices/BTCUSD/halt", {}, 400, "reason: is required"],
    ["/prices/BTCUSD/halt", { reason: " " }, 400, "reason: must not be blank"],
    [
      "/prices/BTCUSD/halt",
      { reason: "x".repeat(201) },
      400,
      "reason: must have at most 200 characters",
    ],
    [
      "/prices/BTCUSD/halt",
      { reason: "x", version: -1 },
      400,
      "version: must be a whole number from 0",
    ],
    ["/prices/BTCUSD/use", { reason: "x" }, 400, "source: is required"],
    [
      "/prices/BTCUSD/use",
      { source: "kraken" },
      409,
      "Prices are not live: only PROPGATE_PRICES gives sources to choose from",
    ],
  ] as const)("%s with %j is refused: %i", async (path, body, status, error) => {
    expect(await operator().refusal("POST", path, body)).toEqual([status, error]);
  });

  test("the effect of a choice is refused as the choice is, and its refusal is described [D12.operatorOpenApi]", async () => {
    expect(await operator().refusal("GET", "/prices/BTCUSD/use?source=kraken")).toEqual([
      409,
      "Prices are not live: only PROPGATE_PRICES gives sources to choose from",
    ]);
  });
});

describe("health", () => {
  test("health counts who is not judged for want of a price, with nothing due, since the pair's last quote [D13.judges]", async () => {
    const firm = await openHarness();
    const desk = createOperatorClient(firm);
    const unjudged = async () => {
      const { prices } = await desk.data("GET", "/health");
      return (prices as { readonly unjudged: unknown }).unjudged;
    };
    await firm.quote("BTCUSD", 50_000, 50_010);
    const quotedAtMs = firm.time.clock.now();
    await firm.order({
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      leverage: 0.1,
    });
    expect(await unjudged()).toEqual([]);
    await firm.pass(60_001);
    const waiting = { pair: "BTCUSD", reason: "stale", accounts: 1, sinceMs: quotedAtMs };
    expect(await unjudged()).toEqual([waiting]);
    await desk.data("POST", "/prices/BTCUSD/halt", { reason: "wrong prints" });
    expect(await unjudged()).toEqual([{ ...waiting, reason: "halted" }]);
    await desk.data("POST", "/prices/BTCUSD/auto", {});
    await firm.quote("BTCUSD", 50_000, 50_010);
    expect(await unjudged()).toEqual([]);
    await firm.close();
  });
});

describe("a pair that no catalogue knows any more", () => {
  test("the holder of an unknown pair is counted as waiting, and closes other positions [D13.judges]", async () => {
    const known = new Map(CATALOGUE);
    const firm = await openHarness({ instruments: known });
    const desk = createOperatorClient(firm);
    await firm.quote("BTCUSD", 50_000, 50_010);
    await firm.quote("EURUSD", 1.1, 1.1001);
    for (const trade_pair of ["BTCUSD", "EURUSD"]) {
      const order = { execution_type: "MARKET", trade_pair, order_type: "LONG", leverage: 0.1 };
      expect((await firm.order(order)).status).toBe(200);
    }
    const quotedAtMs = firm.time.clock.now();
    known.delete(pairId("BTCUSD"));
    const { prices } = await desk.data("GET", "/health");
    expect(prices).toMatchObject({
      unjudged: [{ pair: "BTCUSD", reason: "missing", accounts: 1, sinceMs: quotedAtMs }],
    });
    const flat = await firm.order({ execution_type: "FLAT_ALL" });
    expect([flat.status, flat.json()]).toMatchObject([
      200,
      { data: { status: "partial", stayed: [{ tradePair: "BTCUSD" }] } },
    ]);
    const path = `/accounts/${firm.accountId}/promote`;
    const refusal = await desk.refusal("POST", path, { phase: "challenge" });
    expect(refusal).toEqual([409, "'trade_pair' BTCUSD is not a known pair"]);
    await firm.close();
  });
});

describe("a retired pair [D13.retired]", () => {
  test("a retired pair shows its last price once it has been silent for an hour of its open market", async () => {
    const retired = madeInstrument("BTCUSD", { blocked: true, retired: true });
    const firm = await openHarness({ instruments: madeCatalogue(retired) });
    const desk = createOperatorClient(firm);
    const pair = async () => (await desk.data("GET", "/prices")).items as unknown;
    const known = { pair: "BTCUSD", isBlocked: true, isRetired: true, holders: 0 };
    await firm.quote("BTCUSD", 50_000, 50_010);
    expect(await pair()).toMatchObject([{ ...known, state: "live" }]);
    await firm.pass(3_600_000 - 1);
    expect(await pair()).toMatchObject([{ ...known, state: "missing" }]);
    await firm.pass(1);
    expect(await pair()).toMatchObject([
      {
        ...known,
        state: "last",
        problem: expect.stringContaining("retired"),
        bid: 50_000,
      },
    ]);
    await firm.close();
  });
});
