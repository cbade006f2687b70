import { binanceProtocol } from "./binance.ts";
import { bybitProtocol } from "./bybit.ts";
import { coinbaseProtocol } from "./coinbase.ts";
import { hyperliquidProtocol } from "./hyperliquid.ts";
import { krakenProtocol } from "./kraken.ts";
import type { LocalVenueProtocol } from "./local-venue.ts";
import { okxProtocol } from "./okx.ts";

export interface CcxtVenue {
  readonly venue: string;
  readonly protocol: LocalVenueProtocol;
  /** ccxt's symbols of two markets. */
  readonly symbols: readonly [string, string];
  /** Whether the venue sends its time with its prices. */
  readonly hasTime: boolean;
}

/** The venues of ccxt that have a local server. */
export const CCXT_VENUES: readonly CcxtVenue[] = [
  { venue: "kraken", protocol: krakenProtocol, symbols: ["BTC/USD", "ETH/USD"], hasTime: true },
  { venue: "coinbase", protocol: coinbaseProtocol, symbols: ["BTC/USD", "ETH/USD"], hasTime: true },
  {
    venue: "hyperliquid",
    protocol: hyperliquidProtocol,
    symbols: ["BTC/USDC:USDC", "ETH/USDC:USDC"],
    hasTime: true,
  },
  { venue: "okx", protocol: okxProtocol, symbols: ["BTC/USDT", "ETH/USDT"], hasTime: true },
  {
    venue: "binance",
    protocol: binanceProtocol,
    symbols: ["BTC/USDT", "ETH/USDT"],
    hasTime: false,
  },
  { venue: "bybit", protocol: bybitProtocol, symbols: ["BTC/USDT", "ETH/USDT"], hasTime: true },
];
