import { memberOf } from "../../../../market/src/prices/venues/ccxt/member-of.ts";
import { isoOf, readJson, textsIn } from "./fields.ts";
import type { LocalVenueMarket, LocalVenueProtocol } from "./local-venue.ts";

/** Kraken: spot, REST `AssetPairs` and the ticker of WebSocket v2. */
export const krakenProtocol: LocalVenueProtocol = {
  idOf: ({ base, quote }) => `${base}/${quote}`,
  answer({ path }, markets) {
    if (path !== "/0/public/AssetPairs") return undefined;
    return { error: [], result: Object.fromEntries(markets.map(assetPair)) };
  },
  greet(session) {
    const data = [
      {
        system: "online",
        api_version: "v2",
        connection_id: 13_834_774_380_200_032_000,
        version: "2.0.10",
      },
    ];
    session.send({ channel: "status", type: "update", data });
  },
  receive(text, session) {
    const request = readJson(text);
    const method = memberOf(request, "method");
    const times = {
      time_in: isoOf(session.faults.nowMs()),
      time_out: isoOf(session.faults.nowMs()),
    };
    const reqId = memberOf(request, "req_id");
    const id = typeof reqId === "number" ? { req_id: reqId } : {};
    if (method === "ping") session.send({ method: "pong", ...id, ...times });
    if (method !== "subscribe") return;
    for (const symbol of textsIn(memberOf(request, "params"), "symbol")) {
      if (session.faults.plan.isRejecting || session.faults.plan.rejects === symbol) {
        const error = `Currency pair not supported ${symbol}`;
        session.send({ error, method, symbol, success: false, ...id, ...times });
        continue;
      }
      const result = { channel: "ticker", event_trigger: "bbo", snapshot: true, symbol };
      session.send({ method, result, success: true, ...id, ...times });
      session.subscribe(symbol);
    }
  },
  quoteMessages(quote, session) {
    const { id, bid, ask, atMs } = quote;
    const type = session.kept.has(id) ? "update" : "snapshot";
    session.kept.set(id, quote);
    const ticker = {
      symbol: id,
      bid,
      bid_qty: 2.5,
      ask,
      ask_qty: 3.2,
      last: bid,
      volume: 163.289_080_96,
      vwap: bid,
      low: bid,
      high: ask,
      change: 250,
      change_pct: 0.24,
      timestamp: isoOf(atMs),
    };
    return [{ channel: "ticker", type, data: [ticker] }];
  },
  heartbeat: { channel: "heartbeat" },
};

function assetPair({ base, quote }: LocalVenueMarket): [string, object] {
  const short = base === "BTC" ? "XBT" : base;
  const pair = {
    altname: `${short}${quote}`,
    wsname: `${short}/${quote}`,
    aclass_base: "currency",
    base: base === "BTC" ? "XXBT" : base,
    aclass_quote: "currency",
    quote: quote === "USD" ? "ZUSD" : quote,
    lot: "unit",
    cost_decimals: 5,
    pair_decimals: 1,
    lot_decimals: 8,
    lot_multiplier: 1,
    leverage_buy: [2, 3],
    leverage_sell: [2, 3],
    fees: [[0, 0.4]],
    fees_maker: [[0, 0.25]],
    fee_volume_currency: "ZUSD",
    margin_call: 80,
    margin_stop: 40,
    ordermin: "0.00005",
    costmin: "0.5",
    tick_size: "0.1",
    status: "online",
  };
  return [`${short}${quote}`, pair];
}
