import { pairId } from "@propgate/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../../test/eventually.ts";
import { openLog } from "../../../../../base/src/log.ts";
import { createManualTime } from "../../../../../server/src/testing/manual-time.ts";
import {
  createSourceDependencies,
  KEYED_VENUES,
  type KeyedMarket,
  type KeyedVenue,
  LOCAL_VENUE_KEYS,
} from "../../../../../server/src/testing/venues/keyed-venues.ts";
import {
  type LocalVenue,
  openLocalVenue,
} from "../../../../../server/src/testing/venues/local-venue.ts";
import { createMassiveProtocol } from "../../../../../server/src/testing/venues/massive.ts";
import { openLocalOanda } from "../../../../../server/src/testing/venues/oanda.ts";
import type { OfferedQuote } from "../../quotes/numbered-quote.ts";
import { liveSourceSuite } from "../live-source.suite.ts";
import type { LiveSource } from "../live-source.ts";

for (const venue of KEYED_VENUES) {
  liveSourceSuite(venue.name, {
    hasTime: true,
    floodAbove: venue.floodAbove,
    async open({ time, log }) {
      const { markets } = venue;
      const server = await venue.openServer(markets.map(({ market }) => market));
      const around = createSourceDependencies({ markets, origin: server.origin, time, log });
      return {
        source: await venue.openSource(around),
        pairs: [pairId(markets[0].pair), pairId(markets[1].pair)],
        venue: {
          faults: server.faults,
          quote: (market, bid, ask) => server.quote(markets[market].market, bid, ask),
          flood: (count) => server.flood(markets[0].market, count),
          subscribers: () => server.subscribers(),
          close: () => server.close(),
        },
      };
    },
  });
}

interface Opened {
  readonly source: LiveSource;
  readonly server: LocalVenue;
  readonly offered: OfferedQuote[];
  /** The complete lines of the log. */
  readonly lines: string[];
  readonly until: (check: () => void) => Promise<void>;
}

async function open(
  venue: KeyedVenue,
  over: {
    readonly markets?: readonly KeyedMarket[];
    readonly environment?: Readonly<Record<string, string>>;
    readonly server?: LocalVenue;
  } = {},
): Promise<Opened> {
  const { markets = venue.markets, environment = LOCAL_VENUE_KEYS } = over;
  const server = over.server ?? (await venue.openServer(markets.map(({ market }) => market)));
  const time = createManualTime(Date.UTC(2026, 0, 7, 12));
  const lines: string[] = [];
  const offered: OfferedQuote[] = [];
  const log = openLog("info", { write: (line) => void lines.push(line) });
  const around = createSourceDependencies({
    markets,
    origin: server.origin,
    time,
    log,
    environment,
  });
  const source = await venue.openSource(around);
  onTestFinished(async () => {
    await source.stop();
    await server.close();
  });
  const until = (check: () => void): Promise<void> =>
    eventually(async () => {
      await time.pass(250);
      check();
    });
  for (const { market } of markets) server.quote(market, 100, 101);
  await source.start({ offer: (quote) => void offered.push(quote) });
  return { source, server, offered, lines, until };
}

const named = (name: string): KeyedVenue => {
  const found = KEYED_VENUES.find((venue) => venue.name === name);
  if (found === undefined) throw new Error(`no venue ${name}`);
  return found;
};

describe.each(KEYED_VENUES)("the key of $name", (venue) => {
  const variables = Object.keys(LOCAL_VENUE_KEYS).filter((name) =>
    name.startsWith(`PROPGATE_${venue.name.toUpperCase()}_`),
  );

  test("a missing key of a venue makes the source down, with its variable and one log line", async () => {
    const { source, lines, server } = await open(venue, { environment: {} });
    const reason = `${variables.join(" and ")} ${variables.length === 1 ? "is" : "are"} not set`;
    expect(source.health()).toEqual({ state: "down", reason, reconnects: 0, unreadable: 0 });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 50, source: venue.name, reason, msg: "price source is down" },
    ]);
    expect(server.accepted()).toBe(0);
  });

  test("a key that the venue rejects is one line and a reason without the key, however often it is tried", async () => {
    const wrong = "wrong-key-1234567890";
    const environment = {
      ...LOCAL_VENUE_KEYS,
      ...Object.fromEntries(variables.map((name) => [name, wrong])),
    };
    const { source, lines, until, offered } = await open(venue, { environment });
    await until(() => expect(source.health().state).toBe("down"));
    let steps = 0;
    await until(() => {
      steps += 1;
      expect(steps).toBeGreaterThan(80);
    });
    expect(source.health()).toMatchObject({
      state: "down",
      reason: expect.stringMatching(/^the venue rejected the (key|token)/),
      reconnects: 0,
    });
    expect(lines).toHaveLength(1);
    expect(lines.join() + JSON.stringify(source.health())).not.toContain(wrong);
    expect(offered).toEqual([]);
  });
});

describe("a venue with a connection for each market", () => {
  const euro: KeyedMarket = {
    pair: "EURUSD",
    assetClass: "forex",
    symbol: "C:EUR-USD",
    market: "EUR/USD",
  };
  const bitcoin: KeyedMarket = {
    pair: "BTCUSD",
    assetClass: "crypto",
    symbol: "X:BTC-USD",
    market: "BTC/USD",
  };
  const [apple] = named("massive").markets;

  test.each([
    ["massive", [apple, euro, bitcoin]],
    ["alpaca", [apple, { ...bitcoin, symbol: "BTC/USD" }]],
    [
      "tiingo",
      [
        { ...apple, symbol: "aapl" },
        { ...euro, symbol: "eurusd" },
      ],
    ],
  ] as const)(
    "%s: every market's quotes arrive, and the source is up when all are",
    async (name, markets) => {
      const { source, offered, until } = await open(named(name), { markets });
      await until(() => expect(new Set(offered.map(({ pair }) => pair)).size).toBe(markets.length));
      expect(offered.every(({ bid, ask }) => bid === 100 && ask === 101)).toBe(true);
      expect(source.health()).toMatchObject({ state: "up", reason: null });
    },
  );

  test("massive: a market that is away names itself in the reason, and the others still quote", async () => {
    const { source, server, offered, until } = await open(named("massive"), {
      markets: [apple, { ...euro, symbol: "Q:NOPE", market: "EUR/USD" }, bitcoin],
    });
    await until(() => expect(source.health().state).toBe("up"));
    expect(source.pairs).toEqual(["AAPL", "BTCUSD"]);
    server.faults.plan.isRejecting = true;
    server.faults.cutAll();
    await until(() => expect(source.health().state).toBe("down"));
    await until(() => expect(source.health().reason).toMatch(/stocks: .*; crypto: /));
    server.faults.clear();
    await until(() => expect(source.health().state).toBe("up"));
    server.quote("AAPL", 110, 111);
    await until(() => expect(offered.at(-1)).toMatchObject({ pair: "AAPL", bid: 110 }));
  });

  test("massive: each pair has the health of its own market's connection", async () => {
    const protocol = createMassiveProtocol(LOCAL_VENUE_KEYS.PROPGATE_MASSIVE_KEY, {
      withoutPath: "/crypto",
    });
    const server = await openLocalVenue({ protocol, markets: ["AAPL", "BTC/USD"] });
    const { source, until } = await open(named("massive"), { markets: [apple, bitcoin], server });
    await until(() => expect(source.health(pairId("AAPL")).state).toBe("up"));
    await until(() => expect(source.health(pairId("BTCUSD")).state).toBe("down"));
    expect(source.health()).toMatchObject({
      state: "down",
      reason: expect.stringMatching(/^crypto: /),
    });
    expect(server.subscribers()).toBe(1);
  });

  test("massive: an index has no bid and ask, so it is left out with a warning and never priced", async () => {
    const index: KeyedMarket = {
      pair: "SPX",
      assetClass: "indices",
      symbol: "I:SPX",
      market: "SPX",
    };
    const { source, lines } = await open(named("massive"), { markets: [apple, index] });
    expect(source.pairs).toEqual(["AAPL"]);
    expect(lines.join()).toContain("venue has no bid and ask for these symbols");
  });

  test("tiingo: crypto is left to the exchanges", async () => {
    const { source } = await open(named("tiingo"), {
      markets: [
        { ...euro, symbol: "eurusd" },
        { ...bitcoin, symbol: "btcusd" },
      ],
    });
    expect(source.pairs).toEqual(["EURUSD"]);
  });
});

describe("OANDA", () => {
  test("a price that cannot be traded is not offered", async () => {
    const server = await openLocalOanda({
      token: LOCAL_VENUE_KEYS.PROPGATE_OANDA_TOKEN,
      account: LOCAL_VENUE_KEYS.PROPGATE_OANDA_ACCOUNT,
    });
    server.setTradeable(false);
    const { source, offered, until } = await open(named("oanda"), { server });
    await until(() => expect(source.health().state).toBe("up"));
    expect(offered).toEqual([]);
    server.setTradeable(true);
    server.quote("EUR_USD", 100, 101);
    await until(() => expect(offered.at(-1)).toMatchObject({ pair: "EURUSD", bid: 100, ask: 101 }));
  });

  test("instruments that the account lacks are one warning, and the others are served", async () => {
    const server = await openLocalOanda({
      token: LOCAL_VENUE_KEYS.PROPGATE_OANDA_TOKEN,
      account: LOCAL_VENUE_KEYS.PROPGATE_OANDA_ACCOUNT,
      instruments: ["EUR_USD"],
    });
    const { source, offered, lines, until } = await open(named("oanda"), { server });
    await until(() => expect(offered.at(-1)).toMatchObject({ pair: "EURUSD", bid: 100 }));
    server.faults.cutAll();
    await until(() => expect(source.health()).toMatchObject({ state: "up", reconnects: 1 }));
    const warnings = lines.filter((line) => line.includes("does not have these instruments"));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('"symbols":"XAU_USD"');
    expect(offered.map(({ pair }) => pair)).not.toContain("XAUUSD");
  });

  test("an account with none of the instruments is a reason", async () => {
    const server = await openLocalOanda({
      token: LOCAL_VENUE_KEYS.PROPGATE_OANDA_TOKEN,
      account: LOCAL_VENUE_KEYS.PROPGATE_OANDA_ACCOUNT,
      instruments: ["USD_JPY"],
    });
    const { source, until } = await open(named("oanda"), { server });
    await until(() => expect(source.health().state).toBe("down"));
    expect(source.health().reason).toBe("the account has none of the instruments");
  });

  test("another status is a reason with the venue's own words", async () => {
    const environment = { ...LOCAL_VENUE_KEYS, PROPGATE_OANDA_ACCOUNT: "101-004-7654321-001" };
    const { source, until } = await open(named("oanda"), { environment });
    await until(() => expect(source.health().state).toBe("down"));
    expect(source.health().reason).toBe("the venue answered with status 404: No such account");
  });
});
