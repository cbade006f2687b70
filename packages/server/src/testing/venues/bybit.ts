import { memberOf } from "../../../../market/src/prices/venues/ccxt/member-of.ts";
import { readJson, textIn, textsIn } from "./fields.ts";
import type { LocalVenueMarket, LocalVenueProtocol } from "./local-venue.ts";

const TOPIC = "orderbook.1.";

/** Bybit v5 spot: `instruments-info` and the topic `orderbook.1`, which sends snapshots only. */
export const bybitProtocol: LocalVenueProtocol = {
  idOf: ({ base, quote }) => `${base}${quote}`,
  answer({ path, query }, markets) {
    if (path !== "/v5/market/instruments-info") return undefined;
    const category = query.get("category");
    const list = category === "spot" ? markets.map(instrument) : [];
    return { retCode: 0, retMsg: "OK", result: { category, list }, retExtInfo: {}, time: 1 };
  },
  receive(text, session) {
    const request = readJson(text);
    const op = textIn(request, "op");
    const reqId = memberOf(request, "req_id");
    const rest = { conn_id: "2324d924-aa4d-45b0-a858-7b8be29ab52b", req_id: reqId, op };
    if (op === "ping") session.send({ success: true, ret_msg: "pong", ...rest });
    if (op !== "subscribe") return;
    const topics = textsIn(request, "args");
    const { isRejecting, rejects } = session.faults.plan;
    const refused = topics.filter((topic) => isRejecting || topic === `${TOPIC}${rejects}`);
    if (refused.length > 0 || topics.length > 10) {
      const ret_msg = `error:handler not found,topic:${refused.join(",")}`;
      session.send({ success: false, ret_msg, ...rest });
      return;
    }
    session.send({ success: true, ret_msg: "subscribe", ...rest });
    for (const topic of topics)
      if (topic.startsWith(TOPIC)) session.subscribe(topic.slice(TOPIC.length));
  },
  quoteMessages({ id, bid, ask, atMs }, session) {
    const u = 123_456_789 + session.nextNumber();
    const book = { s: id, b: [[bid.toFixed(2), "0.500"]], a: [[ask.toFixed(2), "0.750"]] };
    const data = { ...book, u, seq: u * 8 };
    return [{ topic: `${TOPIC}${id}`, ts: atMs, type: "snapshot", data, cts: atMs }];
  },
};

function instrument({ base, quote }: LocalVenueMarket): object {
  return {
    symbol: `${base}${quote}`,
    baseCoin: base,
    quoteCoin: quote,
    innovation: "0",
    status: "Trading",
    marginTrading: "both",
    lotSizeFilter: {
      basePrecision: "0.000001",
      quotePrecision: "0.00000001",
      minOrderQty: "0.000048",
      maxOrderQty: "71.73956243",
      minOrderAmt: "1",
      maxOrderAmt: "4000000",
    },
    priceFilter: { tickSize: "0.01" },
  };
}
