/**
 * Pushes COUNT quotes of ten crypto pairs: `push-sender.ts ORIGIN TOKEN ndjson|json|stream FIRST COUNT`. Their sequence
 * numbers begin at FIRST. It prints a line when the service has accepted all of them.
 */
import { once } from "node:events";
import { request } from "node:http";
import { WebSocket } from "ws";

const PAIRS = "BTCUSD ETHUSD SOLUSD XRPUSD DOGEUSD ADAUSD AVAXUSD LINKUSD DOTUSD LTCUSD".split(" ");
const LINES_PER_PIECE = 500;
const TYPES = { json: "application/json", ndjson: "application/x-ndjson" } as const;

const [origin = "", token = "", form = "ndjson", first = "0", count = "0"] = process.argv.slice(2);
const headers = { authorization: `Bearer ${token}` };
const path = "/prices/v1/quotes";

function line(at: number): string {
  const tradePair = PAIRS[at % PAIRS.length];
  const bid = 1_000 + (at % 97) / 100;
  return JSON.stringify({
    tradePair,
    bid,
    ask: bid + 0.5,
    madeAtMs: Date.now(),
    sequence: Number(first) + at,
  });
}

async function post(type: "json" | "ndjson"): Promise<void> {
  const [open, between, close] = type === "json" ? ["[", ",", "]"] : ["", "\n", "\n"];
  // The service limits the size of a JSON body, but not the size of an NDJSON body.
  const perRequest = type === "json" ? 10_000 : Number(count);
  for (let from = 0; from < Number(count); from += perRequest) {
    const sent = request(`${origin}${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": TYPES[type] },
    });
    const answered = once(sent, "response");
    const to = Math.min(Number(count), from + perRequest);
    for (let at = from; at < to; at += LINES_PER_PIECE) {
      const size = Math.min(LINES_PER_PIECE, to - at);
      const lines = Array.from({ length: size }, (_, index) => line(at + index)).join(between);
      const isFirst = at === from;
      if (!sent.write(`${isFirst ? open : between}${lines}`)) await once(sent, "drain");
    }
    sent.end(close);
    const [response] = await answered;
    response.resume();
    await once(response, "end");
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  }
}

async function stream(): Promise<void> {
  const socket = new WebSocket(`${origin.replace("http", "ws")}${path}`, { headers });
  await once(socket, "open");
  const done = new Promise<void>((resolve) =>
    socket.on("message", (data) => {
      if (Buffer.isBuffer(data) && JSON.parse(data.toString("utf8")).taken >= Number(count))
        resolve();
    }),
  );
  for (let at = 0; at < Number(count); at += 1) {
    socket.send(line(at));
    if (socket.bufferedAmount > 1_000_000) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await done;
  socket.close();
}

if (form === "stream") await stream();
else await post(form === "json" ? "json" : "ndjson");
process.stdout.write("done\n");
