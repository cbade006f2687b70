import { type Instruments, pairId, unixMs } from "@propgate/core";
import { deviationLimits } from "../../../packages/market/src/prices/composition/deviation.ts";
import type {
  ConnectionHealth,
  LiveSink,
  LiveSource,
} from "../../../packages/market/src/prices/venues/live-source.ts";
import type { OpenedVenues } from "../../../packages/market/src/prices/venues/open-venues.ts";
import {
  MAIN_SOURCE,
  SECOND_SOURCE,
  type SourcedQuote,
  type SourceName,
  sourcesOf,
  UNTIMED_PAIRS,
} from "../price-sources.ts";
import type { WallClock } from "../time/wall-clock.ts";

const UP: ConnectionHealth = { state: "up", reason: null, reconnects: 0, unreadable: 0 };
const DOWN: ConnectionHealth = { ...UP, state: "down", reason: "it was not started" };

interface SimulatedSource extends LiveSource {
  /** Passes a quote on. Has no effect while the source is not started. */
  offer(given: SourcedQuote): void;
}

/** Opens the sources of one process as its venues. `offer` passes a quote of the run to its source. */
export function openSimulatedVenues(
  instruments: Instruments,
  wallClock: WallClock,
): {
  readonly venues: OpenedVenues;
  readonly offer: (given: SourcedQuote) => void;
} {
  const sources = [MAIN_SOURCE, SECOND_SOURCE].map((name) =>
    simulatedSource(name, instruments, wallClock),
  );
  return {
    venues: {
      sources,
      plan: new Map([...instruments.keys()].map((pair) => [pair, sourcesOf(pair)])),
      deviationPct: deviationLimits(instruments, null),
      funding: { sources: [], warnings: () => [] },
      description: "simulation",
    },
    offer(given) {
      for (const source of sources) if (source.name === given.source) source.offer(given);
    },
  };
}

function simulatedSource(
  name: SourceName,
  instruments: Instruments,
  wallClock: WallClock,
): SimulatedSource {
  let sink: LiveSink | null = null;
  return {
    name,
    pairs: [...instruments.keys()].filter((pair) => sourcesOf(pair).includes(name)),
    async start(given) {
      sink = given;
    },
    async stop() {
      sink = null;
    },
    health: () => (sink === null ? DOWN : UP),
    offer({ source, quote }) {
      const { pair, bid, ask, atMs } = quote;
      const madeAtMs = UNTIMED_PAIRS.has(pair) ? null : atMs;
      // By the clock of this process, a quote is received at the moment at which it is made.
      const receivedAtMs = unixMs(atMs + wallClock.aheadMs);
      sink?.offer({ source, pair: pairId(pair), bid, ask, madeAtMs, receivedAtMs });
    },
  };
}
