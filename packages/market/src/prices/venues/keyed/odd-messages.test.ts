import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../../test/eventually.ts";
import { openLog } from "../../../../../base/src/log.ts";
import { createManualTime } from "../../../../../server/src/testing/manual-time.ts";
import { createAlpacaProtocol } from "../../../../../server/src/testing/venues/alpaca.ts";
import {
  createSourceDependencies,
  KEYED_VENUES,
  type KeyedMarket,
  LOCAL_VENUE_KEYS,
} from "../../../../../server/src/testing/venues/keyed-venues.ts";
import {
  type LocalVenueProtocol,
  openLocalVenue,
} from "../../../../../server/src/testing/venues/local-venue.ts";
import { createMassiveProtocol } from "../../../../../server/src/testing/venues/massive.ts";
import { createTiingoProtocol } from "../../../../../server/src/testing/venues/tiingo.ts";
import type { OfferedQuote } from "../../quotes/numbered-quote.ts";

const APPLE: KeyedMarket = { pair: "AAPL", assetClass: "equities", symbol: "AAPL", market: "AAPL" };
const BITCOIN: KeyedMarket = {
  pair: "BTCUSD",
  assetClass: "crypto",
  symbol: "X:BTC-USD",
  market: "BTC/USD",
};
const { PROPGATE_ALPACA_KEY: key, PROPGATE_ALPACA_SECRET: secret } = LOCAL_VENUE_KEYS;
const PROTOCOLS: Readonly<Record<string, LocalVenueProtocol>> = {
  massive: createMassiveProtocol(LOCAL_VENUE_KEYS.PROPGATE_MASSIVE_KEY),
  tiingo: createTiingoProtocol(LOCAL_VENUE_KEYS.PROPGATE_TIINGO_TOKEN),
  alpaca: createAlpacaProtocol({ key, secret }),
};
const AT_MS = 1_767_787_200_000;
const ISO = "2026-01-07T12:00:00.000000001Z";

/** Sends one message, then a usual quote of 7 and 8. Returns the quotes and the number of unreadable messages. */
async function read(
  name: string,
  message: object,
  markets: readonly KeyedMarket[],
): Promise<{ readonly offered: readonly OfferedQuote[]; readonly unreadable: number }> {
  const usual = PROTOCOLS[name];
  const venue = KEYED_VENUES.find((one) => one.name === name);
  if (usual === undefined || venue === undefined) throw new Error(`no venue ${name}`);
  const protocol: LocalVenueProtocol = {
    ...usual,
    quoteMessages: (quote, session) => [message, ...usual.quoteMessages(quote, session)],
  };
  const server = await openLocalVenue({ protocol, markets: markets.map(({ market }) => market) });
  const time = createManualTime(AT_MS);
  const log = openLog("silent");
  const source = await venue.openSource(
    createSourceDependencies({ markets, origin: server.origin, time, log }),
  );
  onTestFinished(async () => {
    await source.stop();
    await server.close();
  });
  const offered: OfferedQuote[] = [];
  server.quote(markets[0]?.market ?? "", 7, 8);
  await source.start({ offer: (quote) => void offered.push(quote) });
  await eventually(() => expect(offered.at(-1)).toMatchObject({ bid: 7, ask: 8 }));
  return { offered: offered.slice(0, -1), unreadable: source.health().unreadable };
}

const q = (over: object): readonly object[] => [
  { ev: "Q", sym: "AAPL", bp: 100, ap: 101, t: AT_MS, ...over },
];
const xq = (over: object): readonly object[] => [
  { ev: "XQ", pair: "BTC-USD", bp: 100, ap: 101, t: AT_MS, x: 1, ...over },
];
const iex = (over: Readonly<Record<number, unknown>>): object => ({
  messageType: "A",
  service: "iex",
  data: Object.assign(
    ["Q", ISO, AT_MS * 1e6, "aapl", 1, 100, 100.5, 101, 1, null, null, 0, 0, null, null, null],
    over,
  ),
});
const t = (over: object): readonly object[] => [
  { T: "q", S: "AAPL", bp: 100, ap: 101, t: ISO, ...over },
];

describe("a message", () => {
  test.each([
    ["massive", q({}), [APPLE]],
    ["massive", xq({}), [BITCOIN]],
    ["tiingo", iex({}), [{ ...APPLE, symbol: "aapl" }]],
    ["alpaca", t({}), [APPLE]],
  ])(
    "a message of %s with both sides and a time is one quote of the venue's time",
    async (name, message, markets) => {
      const { offered, unreadable } = await read(name, message, markets);
      expect(offered).toMatchObject([{ source: name, bid: 100, ask: 101, madeAtMs: AT_MS }]);
      expect(unreadable).toBe(0);
    },
  );

  test.each([
    ["a side of zero", "massive", q({ bp: 0 }), [APPLE]],
    ["no side", "massive", q({ ap: undefined }), [APPLE]],
    ["another symbol", "massive", q({ sym: "MSFT" }), [APPLE]],
    ["another exchange", "massive", xq({ x: 2 }), [BITCOIN]],
    ["a halted equity", "tiingo", iex({ 11: 1 }), [{ ...APPLE, symbol: "aapl" }]],
    ["a side of null", "tiingo", iex({ 5: null }), [{ ...APPLE, symbol: "aapl" }]],
    ["a trade", "tiingo", iex({ 0: "T" }), [{ ...APPLE, symbol: "aapl" }]],
    ["a side of zero", "alpaca", t({ ap: 0 }), [APPLE]],
  ])(
    "a message with %s of %s is no quote, and is understood",
    async (_what, name, message, markets) => {
      expect(await read(name, message, markets)).toEqual({ offered: [], unreadable: 0 });
    },
  );

  test.each([
    ["no time", "massive", q({ t: undefined }), [APPLE]],
    ["a time of zero", "massive", q({ t: 0 }), [APPLE]],
    ["a price as text", "massive", q({ bp: "100" }), [APPLE]],
    ["a negative price", "massive", q({ ap: -1 }), [APPLE]],
    ["an unknown event", "massive", [{ ev: "V", T: "I:SPX", val: 3_988.5, t: AT_MS }], [APPLE]],
    [
      "a reference price",
      "tiingo",
      { messageType: "A", service: "iex", data: [ISO, "aapl", 100] },
      [{ ...APPLE, symbol: "aapl" }],
    ],
    ["a broken time", "alpaca", t({ t: "yesterday" }), [APPLE]],
    ["an unknown type", "alpaca", [{ T: "z" }], [APPLE]],
    ["no event", "alpaca", [], [APPLE]],
  ])(
    "a message with %s of %s is no quote and counts as unreadable",
    async (_what, name, message, markets) => {
      expect(await read(name, message, markets)).toEqual({ offered: [], unreadable: 1 });
    },
  );
});
