/**
 * Measures the processor time of a pushed quote: to read its bytes from a socket, parse its line, check it and number
 * it. It runs in another process than the one that sends the quotes: `push-cost.ts ndjson|json|stream` prints a
 * `PushCost` as one line of JSON.
 */
import { systemClock, systemTimer } from "../packages/base/src/clock.ts";
import { openLog } from "../packages/base/src/log.ts";
import { loadCatalogue } from "../packages/market/src/catalogue/catalogue.ts";
import { createLocalBus } from "../packages/market/src/prices/quotes/quote-bus.ts";
import { createQuoteIntake } from "../packages/market/src/prices/quotes/quote-intake.ts";
import { createPushSource } from "../packages/market/src/prices/venues/push/push-source.ts";
import { pushablePairs } from "../packages/market/src/prices/venues/push/pushed-quote.ts";
import { startChildProgram } from "./child.ts";

export interface PushCost {
  readonly form: string;
  readonly quotes: number;
  readonly microsecondsPerQuote: number;
}

const QUOTES = 400_000;
const TOKEN = "bench-token-of-24-characters";

async function pushCost(form: string): Promise<PushCost> {
  const { instruments } = await loadCatalogue(null);
  const intake = createQuoteIntake({
    epoch: 1,
    instruments,
    outliers: null,
    bus: createLocalBus(),
    known: new Map(),
  });
  const source = createPushSource({
    listen: { host: "127.0.0.1", port: 0 },
    exempt: [],
    token: TOKEN,
    brand: "Service",
    pairs: pushablePairs(instruments),
    clock: systemClock,
    timer: systemTimer,
    log: openLog("silent"),
  });
  let accepted = 0;
  await source.start({
    offer(quote) {
      if (intake.offer(quote, "feed") === "accepted") accepted += 1;
    },
  });
  const send = async (first: number, quotes: number): Promise<void> => {
    const words = [source.origin() ?? "", TOKEN, form, String(first), String(quotes)];
    await (await startChildProgram("push-sender.ts", words)).stop();
  };
  await send(0, QUOTES / 10);
  const before = process.cpuUsage();
  accepted = 0;
  await send(QUOTES / 10, QUOTES);
  const { user, system } = process.cpuUsage(before);
  await source.stop();
  // Crypto trades at all times, so each quote must have been accepted.
  if (accepted !== QUOTES) throw new Error(`${accepted} of ${QUOTES} quotes were accepted`);
  return { form, quotes: QUOTES, microsecondsPerQuote: (user + system) / QUOTES };
}

const [form = "ndjson"] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(await pushCost(form))}\n`);
