import type { Clock, Settings } from "@propgate/base";
import type { Instruments, QuoteMap } from "@propgate/core";
import type { PriceSource } from "./port.ts";
import { openReplay } from "./replay/replay.ts";
import { createSimulatedSource } from "./simulated.ts";
import type { SimulatedInstrument } from "./simulated-market.ts";
import type { Ticker } from "./ticker.ts";

/** The parts of a service that a price source may use. */
export interface PriceSourceDependencies {
  readonly instruments: Instruments;
  readonly simulated: readonly SimulatedInstrument[];
  /** The newest quotes, which a source reads when it starts. */
  readonly quotes: QuoteMap;
  readonly clock: Clock;
  readonly ticker: Ticker;
}

/** The price source that the settings select, before it is started. */
export interface OpenedSource {
  readonly source: PriceSource;
  /** The clock that the whole service must use. A replay on the time of its data has its own. */
  readonly clock: Clock;
  /** The source of the prices as people read it, such as `simulated` or `replay of data/tape`. */
  readonly description: string;
  /** Resolves at the end of a replay; absent for other sources. */
  readonly ended?: Promise<void>;
}

/** A kind of price source: which settings select it, and how it is opened. */
interface SourceKind {
  /** Whether these settings select the kind. */
  readonly isSelected: (settings: Settings) => boolean;
  /** Opens the source. Throws a `PriceFileError` or `PriceRowsError` when the settings' files cannot be used. */
  readonly open: (settings: Settings, around: PriceSourceDependencies) => Promise<OpenedSource>;
}

/**
 * The kinds of price sources besides live venues. The first one that the settings select runs; the last one needs no
 * settings.
 */
const PRICE_SOURCES = {
  replay: {
    isSelected: ({ replay }) => replay.length > 0,
    open: async (settings, around) => ({
      ...(await openReplay({
        ...around,
        files: settings.replay,
        speed: settings.replaySpeed,
        rebase: settings.replayRebase,
        loop: settings.replayLoop,
        maxUnusablePct: settings.replayMaxUnusable,
      })),
      description: `replay of ${settings.replay.join(", ")}`,
    }),
  },
  simulated: {
    isSelected: () => true,
    open: async ({ simulationSeed: seed }, around) => ({
      source: createSimulatedSource({ ...around, seed, instruments: around.simulated }),
      clock: around.clock,
      description: "simulated",
    }),
  },
} as const satisfies Readonly<Record<string, SourceKind>>;

/**
 * Opens the price source that the settings select. Throws a `PriceFileError` or `PriceRowsError` when its files cannot
 * be used.
 */
export function openPriceSource(
  settings: Settings,
  around: PriceSourceDependencies,
): Promise<OpenedSource> {
  const kinds: readonly SourceKind[] = Object.values(PRICE_SOURCES);
  const selected = kinds.find((kind) => kind.isSelected(settings));
  return (selected ?? PRICE_SOURCES.simulated).open(settings, around);
}
