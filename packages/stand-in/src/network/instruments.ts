/** A category of pairs; it decides fee, grid, lot and class cap. */
export type PairCategory = "crypto" | "forex" | "equities" | "commodities" | "indices";

/** A pair that the stand-in trades or, as the network does, blocks. */
export interface Instrument {
  /** The pair's id, such as `BTCUSDC`, `EURUSD`, `BRK_B`. */
  readonly id: string;
  /** The display form, such as `BTC/USDC`, `EUR/USD`, `BRK.B`. */
  readonly display: string;
  readonly category: PairCategory;
  readonly source: "vanta" | "hyperliquid";
  readonly isPro: boolean;
  /** A blocked pair never trades. */
  readonly isBlocked: boolean;
  readonly base: string;
  /** `USD` for a display without a slash; USDC counts as USD. */
  readonly quote: string;
}

const PRO_COINS = "BTC ETH SOL BNB XRP DOGE ADA AVAX LINK TRX LTC BCH SUI HYPE ZEC kPEPE".split(
  " ",
);
const OTHER_COINS = "DOT TAO ARB NEAR ALGO ASTER UNI AAVE CRV XMR ENA ZRO WLD PUMP".split(" ");
const BLOCKED_COINS = ["TON", "PAXG"];
const BLOCKED_CASH_COINS = "BTC ETH SOL XRP DOGE ADA TAO HYPE ZEC BCH LINK XMR LTC".split(" ");
const FOREX =
  "AUDCAD AUDCHF AUDUSD AUDJPY AUDNZD CADCHF CADJPY CHFJPY EURAUD EURCAD EURUSD EURCHF EURGBP EURJPY EURNZD NZDCAD NZDCHF NZDJPY NZDUSD GBPAUD GBPCAD GBPCHF GBPJPY GBPNZD GBPUSD USDCAD USDCHF USDJPY".split(
    " ",
  );
const BLOCKED_FOREX = ["USDMXN", "XAUUSD", "XAGUSD"];
const COMMODITIES = "WTIOIL GOLD SILVER COPPER NATGAS PLATINUM".split(" ");
const INDICES = "SP500 XYZ100 EWY".split(" ");
const BLOCKED_INDICES = "SPX DJI NDX VIX FTSE GDAXI".split(" ");
/** A selection of the network's shares and funds. */
const SHARES =
  "NVDA MSFT AAPL AVGO TSM ORCL AMD MU CRM UBER BRK.B JPM V MA BAC AMZN TSLA HD BABA SBUX GOOGL META NFLX APP T COIN CRCL MSTR PLTR SNDK INTC HOOD XLK XLF XLE SPY QQQ IWM DIA".split(
    " ",
  );

/** All pairs of the stand-in, also the blocked ones, in a fixed order. */
export const INSTRUMENTS: readonly Instrument[] = [
  ...PRO_COINS.map((coin) => perpInstrument(coin, "crypto", { isPro: true })),
  ...OTHER_COINS.map((coin) => perpInstrument(coin, "crypto", {})),
  ...BLOCKED_COINS.map((coin) => perpInstrument(coin, "crypto", { isBlocked: true })),
  ...BLOCKED_CASH_COINS.map((coin) => cashInstrument(`${coin}USD`, "crypto", { isBlocked: true })),
  ...FOREX.map((id) => cashInstrument(id, "forex", { isPro: true })),
  ...BLOCKED_FOREX.map((id) => cashInstrument(id, "forex", { isBlocked: true })),
  ...COMMODITIES.map((name) => perpInstrument(name, "commodities", { isPro: true })),
  perpInstrument("BRENTOIL", "commodities", { isBlocked: true }),
  ...INDICES.map((name) => perpInstrument(name, "indices", { isPro: true })),
  ...BLOCKED_INDICES.map((name) => shareInstrument(name, "indices", { isBlocked: true })),
  ...SHARES.map((ticker) => shareInstrument(ticker, "equities", { isPro: true })),
  shareInstrument("NSA", "equities", { isBlocked: true }),
];

const BY_ID: ReadonlyMap<string, Instrument> = new Map(INSTRUMENTS.map((one) => [one.id, one]));

/** The pair with this id, or undefined when the network does not have it. */
export function instrumentOf(id: string): Instrument | undefined {
  return BY_ID.get(id);
}

/** Units in one lot: 100,000 for forex, 100 for gold and 5,000 for silver in ounces, else 1. */
export function lotOf({ id, category }: Instrument): number {
  if (id === "XAUUSD") return 100;
  if (id === "XAGUSD") return 5000;
  return category === "forex" ? 100_000 : 1;
}

/** The fee for each fill, as a fraction of the order's value. */
export function feeRateOf({ category }: Instrument): number {
  return FEE_RATES[category];
}

const FEE_RATES: Readonly<Record<PairCategory, number>> = {
  crypto: 0.0003,
  equities: 0.0001,
  commodities: 0.00005,
  forex: 0,
  indices: 0,
};

/** The smallest step of a quantity, in lots. */
export function gridOf({ category }: Instrument, accountSize: number): number {
  if (category !== "forex") return 0.00001;
  return accountSize <= 10_000 ? 0.0001 : 0.01;
}

interface InstrumentFlags {
  readonly isPro?: boolean;
  readonly isBlocked?: boolean;
}

function perpInstrument(coin: string, category: PairCategory, marks: InstrumentFlags): Instrument {
  return {
    id: `${coin}USDC`,
    display: `${coin}/USDC`,
    category,
    source: "hyperliquid",
    isPro: marks.isPro ?? false,
    isBlocked: marks.isBlocked ?? false,
    base: coin,
    quote: "USD",
  };
}

function cashInstrument(id: string, category: PairCategory, marks: InstrumentFlags): Instrument {
  const [base, quote] = [id.slice(0, -3), id.slice(-3)];
  return {
    id,
    display: `${base}/${quote}`,
    category,
    source: "vanta",
    isPro: marks.isPro ?? false,
    isBlocked: marks.isBlocked ?? false,
    base,
    quote,
  };
}

function shareInstrument(
  ticker: string,
  category: PairCategory,
  marks: InstrumentFlags,
): Instrument {
  return {
    id: ticker.replaceAll(".", "_"),
    display: ticker,
    category,
    source: "vanta",
    isPro: marks.isPro ?? false,
    isBlocked: marks.isBlocked ?? false,
    base: ticker,
    quote: "USD",
  };
}
