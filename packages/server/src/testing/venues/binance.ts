import { memberOf } from "../../../../market/src/prices/venues/ccxt/member-of.ts";
import { readJson, textIn, textsIn } from "./fields.ts";
import type { LocalVenueMarket, LocalVenueProtocol } from "./local-venue.ts";

/**
 * Binance spot: `exchangeInfo` and the streams `<symbol>@bookTicker`. The messages of these streams have numbers but no
 * time.
 */
export const binanceProtocol: LocalVenueProtocol = {
  idOf: ({ base, quote }) => `${base}${quote}`,
  answer({ path }, markets) {
    if (path !== "/api/v3/exchangeInfo") return undefined;
    return {
      timezone: "UTC",
      serverTime: 1_700_000_000_000,
      rateLimits: [],
      exchangeFilters: [],
      symbols: markets.map(symbolInfo),
    };
  },
  receive(text, session) {
    const request = readJson(text);
    const id = memberOf(request, "id");
    if (textIn(request, "method") !== "SUBSCRIBE") return;
    if (session.faults.plan.isRejecting) {
      session.send({ error: { code: 2, msg: "Invalid request: unknown stream" }, id });
      return;
    }
    session.send({ result: null, id });
    for (const stream of textsIn(request, "params")) {
      const [name = "", kind] = stream.split("@");
      if (kind === "bookTicker") session.subscribe(name.toUpperCase());
    }
  },
  quoteMessages({ id, bid, ask }, session) {
    const u = 400_900_217 + session.nextNumber();
    return [{ u, s: id, b: bid.toFixed(8), B: "31.21000000", a: ask.toFixed(8), A: "40.66000000" }];
  },
};

function symbolInfo({ base, quote }: LocalVenueMarket): object {
  return {
    symbol: `${base}${quote}`,
    status: "TRADING",
    baseAsset: base,
    baseAssetPrecision: 8,
    quoteAsset: quote,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    orderTypes: ["LIMIT", "MARKET"],
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: true,
    filters: [
      {
        filterType: "PRICE_FILTER",
        minPrice: "0.01000000",
        maxPrice: "1000000.00000000",
        tickSize: "0.01000000",
      },
      {
        filterType: "LOT_SIZE",
        minQty: "0.00001000",
        maxQty: "9000.00000000",
        stepSize: "0.00001000",
      },
    ],
    permissions: [],
    permissionSets: [["SPOT"]],
  };
}
