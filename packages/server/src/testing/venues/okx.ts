import { listIn, readJson, textIn } from "./fields.ts";
import type { LocalVenueMarket, LocalVenueProtocol } from "./local-venue.ts";

/** OKX v5: spot instruments and the channel `bbo-tbt`. */
export const okxProtocol: LocalVenueProtocol = {
  idOf: ({ base, quote }) => `${base}-${quote}`,
  answer({ path, query }, markets) {
    if (path !== "/api/v5/public/instruments") return undefined;
    const data = query.get("instType") === "SPOT" ? markets.map(instrument) : [];
    return { code: "0", msg: "", data };
  },
  receive(text, session) {
    if (text === "ping") session.send("pong");
    const request = readJson(text);
    if (textIn(request, "op") !== "subscribe") return;
    for (const arg of listIn(request, "args")) {
      const [channel, id] = [textIn(arg, "channel"), textIn(arg, "instId")];
      if (session.faults.plan.isRejecting) {
        const msg = `Wrong URL or channel:${channel},instId:${id} doesn't exist. Please use the correct URL, channel and parameters referring to API document.`;
        session.send({ event: "error", msg, code: "60018", connId: "a4d3ae55" });
        continue;
      }
      session.send({ event: "subscribe", arg, connId: "a4d3ae55" });
      session.subscribe(id);
    }
  },
  quoteMessages({ id, bid, ask, atMs }, session) {
    const book = {
      asks: [[String(ask), "415", "0", "13"]],
      bids: [[String(bid), "256", "0", "12"]],
      ts: String(atMs),
      seqId: 123_456 + session.nextNumber(),
    };
    return [{ arg: { channel: "bbo-tbt", instId: id }, data: [book] }];
  },
};

function instrument({ base, quote }: LocalVenueMarket): object {
  return {
    alias: "",
    baseCcy: base,
    category: "1",
    ctMult: "",
    ctType: "",
    ctVal: "",
    ctValCcy: "",
    expTime: "",
    instFamily: "",
    instId: `${base}-${quote}`,
    instType: "SPOT",
    lever: "10",
    listTime: "1548133413000",
    lotSz: "0.00000001",
    minSz: "0.00001",
    optType: "",
    quoteCcy: quote,
    settleCcy: "",
    state: "live",
    stk: "",
    tickSz: "0.1",
    uly: "",
  };
}
