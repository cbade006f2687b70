import type { OperatorPrice, OperatorPrices } from "@propgate/contract";
import { type Client, createClient } from "@propgate/sdk";
import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { readSettings } from "../base/config.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { coinbaseProtocol } from "../testing/venues/coinbase.ts";
import { krakenProtocol } from "../testing/venues/kraken.ts";
import { openStandIn, type StandIn } from "../testing/venues/stand-in.ts";
import type { RunningService } from "./running-service.ts";
import { startService } from "./start-service.ts";

const OPERATOR_TOKEN = "op_live_prices_0123456789abcdef0123";
const MARKETS = ["BTC/USD", "ETH/USD"];
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

interface Venues {
  readonly kraken: StandIn;
  readonly coinbase: StandIn;
}

async function openVenues(): Promise<Venues> {
  const kraken = await openStandIn({ protocol: krakenProtocol, markets: MARKETS });
  const coinbase = await openStandIn({ protocol: coinbaseProtocol, markets: MARKETS });
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
    const response = await fetch(`${service.operatorUrl}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    return (answer.data ?? answer) as Record<string, unknown>;
  };
  const btc = async () => {
    const { items } = (await operator("/prices")) as unknown as OperatorPrices;
    return items.find(({ pair }) => pair === "BTCUSD");
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
  test("fills at the first venue's book, moves to the second, and keeps a halt over a restart [D10.haltedPair]", async () => {
    const venues = await openVenues();
    const { kraken, coinbase } = venues;
    kraken.quote("BTC/USD", 50_000, 50_010);
    coinbase.quote("BTC/USD", 50_001, 50_011);
    const dataDir = await temporaryFolder();
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

  test("a start names the pairs that no source can price, and readiness that prices are missing", async () => {
    const venues = await openVenues();
    const { service, operator } = await start(venues, await temporaryFolder());
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
    await expect(start(venues, await temporaryFolder(), flags)).rejects.toThrow(message);
  });
});
