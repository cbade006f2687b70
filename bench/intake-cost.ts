import { type PairId, pairId, price, unixMs } from "@propgate/core";
import { createLocalBus } from "../packages/market/src/prices/quotes/quote-bus.ts";
import { createQuoteIntake } from "../packages/market/src/prices/quotes/quote-intake.ts";
import { madeInstrument } from "../packages/server/src/testing/made-instrument.ts";

const PAIRS = 200;
const QUOTES = 1_000_000;

/** The processor time in which the intake checks and numbers one quote, in nanoseconds. */
export function measureIntakeNanoseconds(): number {
  const pairs = Array.from({ length: PAIRS }, (_, index) => pairId(`P${index}`));
  const intake = createQuoteIntake({
    epoch: 1,
    instruments: new Map(pairs.map((pair) => [pair, madeInstrument(pair)])),
    outliers: { moveMax: 0.2, confirmedBy: 3 },
    bus: createLocalBus(),
    known: new Map(),
  });
  const offer = (index: number): void => {
    const pair: PairId | undefined = pairs[(index * 7) % PAIRS];
    if (pair === undefined) return;
    const bid = price(100 + (index % 100) / 100);
    const atMs = unixMs(1_700_049_600_000 + Math.floor(index / 5));
    const quote = { source: "bench", pair, bid, ask: price(bid + 0.01), madeAtMs: atMs };
    intake.offer({ ...quote, receivedAtMs: atMs }, "feed");
  };
  for (let index = 0; index < PAIRS * 50; index += 1) offer(index);
  const before = process.cpuUsage();
  for (let index = PAIRS * 50; index < QUOTES; index += 1) offer(index);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / (QUOTES - PAIRS * 50);
}
