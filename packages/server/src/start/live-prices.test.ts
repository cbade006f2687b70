import type { OperatorPrice } from "@propgate/contract";
import { type Client, createClient } from "@propgate/sdk";
import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { readSettings } from "../../../base/src/config.ts";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";
import { coinbaseProtocol } from "../testing/venues/coinbase.ts";
import { krakenProtocol } from "../testing/venues/kraken.ts";
import { type LocalVenue, openLocalVenue } from "../testing/venues/local-venue.ts";
import type { RunningService } from "./running-service.ts";
import { startService } from "./start-service.ts";

const OPERATOR_TOKEN = "op_live_prices_0123456789abcdef0123";
const MARKETS = ["BTC/USD", "ETH/USD"];
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

interface Venues {
  readonly kraken: LocalVenue;
  readonly coinbase: LocalVenue;
}

async function openVenues(): Promise<Venues> {
  const kraken = await openLocalVenue({ protocol: krakenProtocol, markets: MARKETS });
  const coinbase = await openLocalVenue({ protocol: coinbaseProtocol, markets: MARKETS });
  cleanUps.push(async () => void (await Promise.all([kraken.close(), coinbase.close()])));
  return { kraken, coinbase };
}

interface Started {
  readonly service: RunningService;
  readonly stop: () => Promise<void>;
  readonly operator: (path: string, body?: object) => Promise<Record<string, unknown>>;
  readonly btc: () => Promise<OperatorPrice | undefined>;
}

async function start(
  { kraken, coinbase }: Venues,
  dataDir: string,
  flags: { readonly prices?: string; readonly replay?: string } = {},
): Promise<Started> {
  const reading = readSettings(
    {},
    {
      port: "0",
      dataDir,
      logLevel: "silent",
      operatorToken: OPERATOR_TOKEN,
      prices: "crypto=kraken,coinbase",
      priceUrls: `kraken=${kraken.origin},coinbase=${coinbase.origin}`,
      ...flags,
    },
  );
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  const service = await startService(reading.settings);
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await service.stop();
    isStopped = true;
  };
  cleanUps.push(stop);
  const operator = async (path: string, body?: object) => {
    const response = await fetch(`${service.operatorUrl}/operator/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    return (answer.data ?? answer) as Record<string, unknown>;
  };
  const btc = async () => {
    const price = await operator("/prices/BTCUSD");
    return "pair" in price ? (price as unknown as OperatorPrice) : undefined;
  };
  return { service, stop, operator, btc };
}

function clientOf({ baseUrl, firstKey }: RunningService): Client {
  if (firstKey === null) throw new Error("a first start makes a first key");
  const { keyId, secret } = firstKey;
  return createClient({ baseUrl, keyId, secret });
}

const LONG = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  leverage: 0.1,
} as const;

describe("a service on live prices", () => {
  test("a service on live prices fills at the first venue's book, moves to the second, and keeps a halt over a restart [D10.haltedPair]", async () => {
    const venues = await openVenues();
    const { kraken, coinbase } = venues;
    kraken.quote("BTC/USD", 50_000, 50_010);
    coinbase.quote("BTC/USD", 50_001, 50_011);
    const dataDir = await makeTemporaryFolder();
    const first = await start(venues, dataDir);
    await eventually(async () => {
      kraken.quote("BTC/USD", 50_000, 50_010);
      coinbase.quote("BTC/USD", 50_001, 50_011);
      expect((await first.btc())?.sources.map(({ isHealthy }) => isHealthy)).toEqual([true, true]);
    });
    await first.operator("/prices/BTCUSD/use", { source: "kraken", reason: "known book" });
    await eventually(async () => expect((await first.btc())?.quote?.ask).toBe(50_010));
    const client = clientOf(first.service);
    const filled = await client.placeOrder({ trade: LONG });
    expect(JSON.stringify(filled)).toContain("50010");

    await first.operator("/prices/BTCUSD/auto", {});
    await kraken.close();
    await eventually(async () => {
      coinbase.quote("BTC/USD", 50_021, 50_031);
      expect(await first.btc()).toMatchObject({ source: "coinbase", quote: { bid: 50_021 } });
    });

    await first.operator("/prices/BTCUSD/halt", { reason: "to be kept" });
    const refused = await client.placeOrder({ trade: LONG });
    expect(JSON.stringify(refused)).toContain("fresh");
    await first.stop();
    const again = await start(venues, dataDir);
    expect(await again.btc()).toMatchObject({
      state: "halted",
      choice: { kind: "halt", reason: "to be kept" },
      quote: { bid: 50_021 },
    });
  });

  describe("the choice of a source [D13.farPrice]", () => {
    /** Starts a service with BTCUSD at 50,000 at both venues and an account that is LONG with a stop at 49,000. */
    async function held() {
      const venues = await openVenues();
      const { kraken, coinbase } = venues;
      const started = await start(venues, await makeTemporaryFolder());
      const both = (): void => {
        kraken.quote("BTC/USD", 50_000, 50_000);
        coinbase.quote("BTC/USD", 50_000, 50_000);
      };
      await eventually(async () => {
        both();
        expect((await started.btc())?.sources.map(({ isHealthy }) => isHealthy)).toEqual([
          true,
          true,
        ]);
      });
      const client = clientOf(started.service);
      await client.placeOrder({ trade: { ...LONG, stop_loss: 49_000 } });
      const use = (body: object) => started.operator("/prices/BTCUSD/use", body);
      const open = async () => (await client.positions()).length;
      return { ...started, ...venues, client, use, open };
    }

    test("a source a tenth away is refused with its effect, and the stop fires only with far [D13.choiceEffect]", async () => {
      const { kraken, coinbase, use, operator, btc, open } = await held();
      await eventually(async () => {
        kraken.quote("BTC/USD", 50_000, 50_000);
        coinbase.quote("BTC/USD", 45_000, 45_000);
        expect(await btc()).toMatchObject({
          state: "held",
          source: null,
          sources: [{ isSpeaking: false }, { quote: { bid: 45_000 } }],
        });
      });
      const effect = {
        from: { source: "kraken", bid: 50_000 },
        to: { source: "coinbase", bid: 45_000 },
        distancePct: expect.closeTo(-10),
        limitPct: 1,
        isFar: true,
        holders: 1,
        triggers: 1,
        triggeredAccounts: 1,
      };
      expect(await operator("/prices/BTCUSD/use?source=coinbase")).toMatchObject(effect);
      expect(await use({ source: "coinbase" })).toEqual({
        code: "conflict",
        error:
          "coinbase quotes 45000, 10 % below 50000 of kraken; the limit of BTCUSD is 1 %. 1 account holds it, and 1 order or stop would act. Repeat it with far if that is right",
      });
      expect([await open(), (await btc())?.choice]).toEqual([1, null]);
      expect(await use({ source: "coinbase", far: true })).toMatchObject({ far: true, effect });
      await eventually(async () => expect(await open()).toBe(0));
    });

    test("a source of another scale needs far too, and the guard rejects it when it is left alone", async () => {
      const { kraken, coinbase, use, btc, open } = await held();
      await eventually(async () => {
        kraken.quote("BTC/USD", 50_000, 50_000);
        coinbase.quote("BTC/USD", 50, 50);
        expect(await btc()).toMatchObject({ state: "held", sources: [{}, { quote: { bid: 50 } }] });
      });
      expect(JSON.stringify(await use({ source: "coinbase" }))).toContain("99.9 % below");
      await kraken.close();
      await eventually(async () => {
        coinbase.quote("BTC/USD", 50, 50);
        expect(await btc()).toMatchObject({
          state: "held",
          problem: expect.stringContaining("The price of coinbase is far"),
          quote: { bid: 50_000 },
        });
      });
      expect(await open()).toBe(1);
    });

    test("a silent source at the old price is as far as the market that it missed", async () => {
      const { kraken, use, btc, open } = await held();
      await eventually(async () => {
        kraken.quote("BTC/USD", 48_500, 48_500);
        expect(await btc()).toMatchObject({
          state: "held",
          sources: [{ quote: { bid: 48_500 } }, {}],
        });
      });
      expect(JSON.stringify(await use({ source: "coinbase" }))).toContain(
        "3.09 % above 48500 of kraken",
      );
      expect(await use({ source: "kraken", far: true })).toMatchObject({ kind: "use" });
      await eventually(async () => expect(await open()).toBe(0));
    });

    test("a chosen source without a fresh quote leaves the pair missing, and no order fills [D13.silentChoice]", async () => {
      const { kraken, coinbase, use, btc, client } = await held();
      await coinbase.close();
      await eventually(async () => {
        kraken.quote("BTC/USD", 50_000, 50_000);
        expect((await btc())?.sources[1]).toMatchObject({ connection: "down", quote: null });
      });
      expect(await use({ source: "coinbase" })).toMatchObject({
        effect: { to: null, isFar: false },
      });
      expect(await btc()).toMatchObject({
        state: "missing",
        problem: expect.stringContaining("The chosen source coinbase has no fresh quote"),
      });
      expect(JSON.stringify(await client.placeOrder({ trade: LONG }))).toContain("fresh");
    });
  });

  test("a start names the pairs that no source can price, and readiness that prices are missing", async () => {
    const venues = await openVenues();
    const { service, operator } = await start(venues, await makeTemporaryFolder());
    expect(service.prices).toBe("live from kraken, coinbase");
    expect(service.warnings.join("\n")).toMatch(/pairs without a source \([A-Z0-9, ]*EURUSD/);
    const ready: unknown = await (await fetch(`${service.baseUrl}/ready`)).json();
    expect(ready).toMatchObject({
      status: "ready",
      warning: expect.stringMatching(/^\d+ of \d+ open pairs have no fresh price, such as /),
    });
    expect(JSON.stringify(await operator("/health"))).toContain(
      "pairs that no configured or chosen source can price",
    );
  });

  test.each([
    [{ prices: "nowhere" }, 'there is no price source "nowhere"'],
    [
      { prices: "BTCEUR=kraken" },
      "PROPGATE_PRICES names the pair BTCEUR, which is not in the catalogue",
    ],
    [{ replay: "prices.csv" }, "PROPGATE_PRICES and PROPGATE_REPLAY are both set"],
  ])("%j cannot start: %s", async (flags, message) => {
    const venues = await openVenues();
    await expect(start(venues, await makeTemporaryFolder(), flags)).rejects.toThrow(message);
  });
});
