import type { Instruments, Quotes } from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { PriceSource } from "./port.ts";
import { openReplay } from "./replay/replay.ts";
import { createSimulated } from "./simulated.ts";
import type { SimulatedInstrument } from "./simulated-market.ts";
import type { Ticker } from "./ticker.ts";

/** What the configuration says about prices. */
export type PriceSettings =
  | { readonly kind: "simulated"; readonly seed: string }
  | {
      readonly kind: "replay";
      /** Paths or `PAIR=path`. */
      readonly files: readonly string[];
      readonly speed: number;
      readonly rebase: "now" | "own";
      readonly loop: boolean;
    };

export interface PriceSurroundings {
  readonly instruments: Instruments;
  readonly simulated: readonly SimulatedInstrument[];
  /** The newest prices there are when a source starts. */
  readonly quotes: Quotes;
  readonly clock: Clock;
  readonly ticker: Ticker;
}

export interface OpenedSource {
  readonly source: PriceSource;
  /** What the whole service must read the time from: another than the given one for some replays. */
  readonly clock: Clock;
}

type Open<Kind extends PriceSettings["kind"]> = (
  settings: Extract<PriceSettings, { readonly kind: Kind }>,
  around: PriceSurroundings,
) => Promise<OpenedSource>;

/** Every price source by its name in the configuration. */
export const PRICE_SOURCES: { readonly [Kind in PriceSettings["kind"]]: Open<Kind> } = {
  simulated: async ({ seed }, around) => ({
    source: createSimulated({ ...around, seed, instruments: around.simulated }),
    clock: around.clock,
  }),
  replay: (settings, around) => openReplay({ ...around, ...settings }),
};

/** Throws a `PriceFileError` when what was asked for cannot be opened. */
export function openPriceSource(
  settings: PriceSettings,
  around: PriceSurroundings,
): Promise<OpenedSource> {
  return settings.kind === "simulated"
    ? PRICE_SOURCES.simulated(settings, around)
    : PRICE_SOURCES.replay(settings, around);
}
