import { type AssetClass, type PairId, pairId } from "@propgate/core";
import { readSettings, type Settings } from "../../../../base/src/config.ts";
import type { Log } from "../../../../base/src/log.ts";
import { createSeededChance } from "../../../../base/src/random.ts";
import { openAlpaca } from "../../../../market/src/prices/venues/keyed/alpaca.ts";
import { openMassive } from "../../../../market/src/prices/venues/keyed/massive.ts";
import { openOanda } from "../../../../market/src/prices/venues/keyed/oanda.ts";
import { openTiingo } from "../../../../market/src/prices/venues/keyed/tiingo.ts";
import type { LiveSource } from "../../../../market/src/prices/venues/live-source.ts";
import type { OpenSourceDependencies } from "../../../../market/src/prices/venues/registry.ts";
import { madeCatalogue, madeInstrument } from "../made-instrument.ts";
import type { ManualTime } from "../manual-time.ts";
import { createAlpacaProtocol } from "./alpaca.ts";
import { type LocalVenue, openLocalVenue } from "./local-venue.ts";
import { createMassiveProtocol } from "./massive.ts";
import { openLocalOanda } from "./oanda.ts";
import { createTiingoProtocol } from "./tiingo.ts";

/** The keys and accounts of the local venues, by their settings. */
export const LOCAL_VENUE_KEYS = {
  PROPGATE_OANDA_TOKEN: "oanda-token-of-tests",
  PROPGATE_OANDA_ACCOUNT: "101-004-1234567-001",
  PROPGATE_TIINGO_TOKEN: "tiingo-token-of-tests",
  PROPGATE_MASSIVE_KEY: "massive-key-of-tests",
  PROPGATE_ALPACA_KEY: "alpaca-key-of-tests",
  PROPGATE_ALPACA_SECRET: "alpaca-secret-of-tests",
} as const;

/** A market of a venue: the pair of the catalogue with its class, the venue's symbol, and the local server's name. */
export interface KeyedMarket {
  readonly pair: string;
  readonly assetClass: AssetClass;
  readonly symbol: string;
  readonly market: string;
}

export interface KeyedVenue {
  readonly name: string;
  /** Two markets whose quotes come over one connection. */
  readonly markets: readonly [KeyedMarket, KeyedMarket];
  readonly floodAbove: number;
  readonly openSource: (around: OpenSourceDependencies) => Promise<LiveSource>;
  readonly openServer: (markets: readonly string[]) => Promise<LocalVenue>;
}

const APPLE = { pair: "AAPL", assetClass: "equities", market: "AAPL" } as const;
const SPY = { pair: "SPY", assetClass: "indices", market: "SPY" } as const;
const EURO = { pair: "EURUSD", assetClass: "forex", market: "EUR/USD" } as const;
const GOLD = { pair: "XAUUSD", assetClass: "commodities", market: "XAU/USD" } as const;

export const KEYED_VENUES: readonly KeyedVenue[] = [
  {
    name: "oanda",
    markets: [
      { ...EURO, market: "EUR_USD", symbol: "EUR_USD" },
      { ...GOLD, market: "XAU_USD", symbol: "XAU_USD" },
    ],
    floodAbove: 5_000,
    openSource: openOanda,
    openServer: () =>
      openLocalOanda({
        token: LOCAL_VENUE_KEYS.PROPGATE_OANDA_TOKEN,
        account: LOCAL_VENUE_KEYS.PROPGATE_OANDA_ACCOUNT,
      }),
  },
  {
    name: "tiingo",
    markets: [
      { ...EURO, symbol: "eurusd" },
      { ...GOLD, symbol: "xauusd" },
    ],
    floodAbove: 20_000,
    openSource: openTiingo,
    openServer: (markets) =>
      openLocalVenue({
        protocol: createTiingoProtocol(LOCAL_VENUE_KEYS.PROPGATE_TIINGO_TOKEN),
        markets,
      }),
  },
  {
    name: "massive",
    markets: [
      { ...APPLE, symbol: "AAPL" },
      { ...SPY, symbol: "SPY" },
    ],
    floodAbove: 20_000,
    openSource: openMassive,
    openServer: (markets) =>
      openLocalVenue({
        protocol: createMassiveProtocol(LOCAL_VENUE_KEYS.PROPGATE_MASSIVE_KEY),
        markets,
      }),
  },
  {
    name: "alpaca",
    markets: [
      { ...APPLE, symbol: "AAPL" },
      { ...SPY, symbol: "SPY" },
    ],
    floodAbove: 20_000,
    openSource: openAlpaca,
    openServer: (markets) =>
      openLocalVenue({
        protocol: createAlpacaProtocol({
          key: LOCAL_VENUE_KEYS.PROPGATE_ALPACA_KEY,
          secret: LOCAL_VENUE_KEYS.PROPGATE_ALPACA_SECRET,
        }),
        markets,
      }),
  },
];

/** The clock, the pairs and the other values that a source gets from the service. */
export function createSourceDependencies(options: {
  readonly markets: readonly KeyedMarket[];
  readonly origin: string;
  readonly time: Pick<ManualTime, "clock" | "timer">;
  readonly log: Log;
  readonly environment?: Readonly<Record<string, string>>;
}): OpenSourceDependencies {
  const { markets, origin, time, log, environment = LOCAL_VENUE_KEYS } = options;
  const instruments = madeCatalogue(
    ...markets.map(({ pair, assetClass }) => madeInstrument(pair, { assetClass })),
  );
  const symbolsHere = new Map<PairId, string>(
    markets.map(({ pair, symbol }) => [pairId(pair), symbol]),
  );
  return {
    settings: settingsOf(environment),
    instruments,
    symbols: new Map(),
    sourceSymbols: symbolsHere,
    origin,
    clock: time.clock,
    timer: time.timer,
    chance: createSeededChance(origin),
    log,
  };
}

function settingsOf(environment: Readonly<Record<string, string>>): Settings {
  const reading = readSettings(environment);
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  return reading.settings;
}
