import type { Instruments, Quote } from "@propgate/core";
import type { Clock, Stopwatch } from "../../../packages/server/src/base/clock.ts";
import type { Log } from "../../../packages/server/src/base/log.ts";
import type { Transport } from "../../../packages/server/src/base/transport/transport.ts";
import { createSharedBus } from "../../../packages/server/src/prices/bus/shared-bus.ts";
import type { NumberedQuote } from "../../../packages/server/src/prices/quotes/numbered-quote.ts";
import { offerQuote } from "../../../packages/server/src/prices/quotes/offer-quote.ts";
import { createQuoteIntake } from "../../../packages/server/src/prices/quotes/quote-intake.ts";
import { OUTLIERS } from "../../../packages/server/src/start/live-prices.ts";

/** The feed: it judges and numbers the quotes of the market and publishes them to the nodes. */
export interface SimulatedFeed {
  offer(quotes: readonly Quote[]): void;
  /** Sends a sign of life. */
  tick(): void;
}

export const FEED_EPOCH = 1;
export const INSTALLATION = "simulation";
const FEED_ID = "00000000-0000-4000-8000-000000000000";

export function createSimulatedFeed(need: {
  readonly transport: Transport;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly steadyClock: Stopwatch;
  readonly log: Log;
  readonly onPublished: (quote: NumberedQuote) => void;
}): SimulatedFeed {
  const bus = createSharedBus({
    ...need,
    installation: INSTALLATION,
    node: FEED_ID,
    feedEpoch: async () => FEED_EPOCH,
  });
  bus.lead({ epoch: FEED_EPOCH, isHeld: () => true });
  const intake = createQuoteIntake({
    epoch: FEED_EPOCH,
    instruments: need.instruments,
    outliers: OUTLIERS,
    bus: {
      ...bus,
      publish(quote) {
        need.onPublished(quote);
        bus.publish(quote);
      },
    },
    known: new Map(),
  });
  return {
    offer(quotes) {
      for (const quote of quotes) offerQuote(intake, "simulation", quote);
    },
    tick: () => bus.tick(),
  };
}
