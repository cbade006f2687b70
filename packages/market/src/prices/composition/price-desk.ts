import type { Clock } from "@propgate/base";
import {
  createPairFinder,
  type Instrument,
  type Instruments,
  isFresh,
  isLastPrice,
  isOpen,
  type PairFinder,
  type PairId,
  type Quote,
  type Quotes,
  type UnixMs,
} from "@propgate/core";
import type { PriceChoice } from "../../storage/price-choice-store.ts";
import type { SourceWarning } from "../port.ts";
import type { ReachedTriggers } from "../watch/account-watch.ts";
import { type ChoiceEffect, computeChoiceEffect, farChoiceText } from "./choice-effect.ts";
import type { LiveFeed, PairSourceView, PairView } from "./live-feed.ts";
import type { ChoiceRequest, PriceChoices } from "./price-choices.ts";
import type { PriceHistory } from "./price-history.ts";

/**
 * The state of a pair's prices. `halted`: a choice halts the pair. `last`: the pair is retired and has only its last
 * price. `unpriced`: no configured source can price it, or the chosen source is not configured for it. `closed`: its
 * market is closed. `held`: its sources differ, or the only usable one is far from its last price. `missing`: it has no
 * fresh price. `live`: it has one. When several apply, `stateOf` decides which one is shown.
 */
export type PairState = "halted" | "last" | "closed" | "unpriced" | "held" | "missing" | "live";

/** The prices of a pair, as operators see them. */
export interface PairPrices {
  readonly instrument: Instrument;
  readonly state: PairState;
  /** Why the pair has no live price, in words; null while its prices are live or its market is closed. */
  readonly problem: string | null;
  /**
   * The source that speaks for the pair, or the source of all prices when they do not come from venues; null when none
   * speaks.
   */
  readonly source: string | null;
  readonly quote: Quote | null;
  /** How often the speaking source has changed. */
  readonly changes: number;
  readonly sources: readonly PairSourceView[];
  /** The middle prices of the last minutes; see `PriceHistory.recent`. */
  readonly recent: readonly (number | null)[];
  /** The present choice for the pair, of an operator or of a check of the service; null when there is none. */
  readonly choice: PriceChoice | null;
  /** How many accounts hold a position in the pair. */
  readonly holders: number;
}

/** Why a choice is refused, with a text for people. `far`: the price of the source is too far from the pair's. */
export interface ChoiceRefused {
  readonly refused: "unknownPair" | "notLive" | "unknownSource" | "far";
  readonly text: string;
  /** The wrong field; the text begins with its name. */
  readonly field?: "source";
}

/**
 * The stored choice with its effect, or why none was stored. `effect` is null unless a source was chosen. `changed` is
 * the present choice when it is not the one that the operator saw; null when there is none any more.
 */
export type ChoiceResult =
  | { readonly choice: PriceChoice; readonly effect: ChoiceEffect | null }
  | ChoiceRefused
  | { readonly changed: PriceChoice | null };

/** Shows the prices to operators, and carries out their choices. */
export interface PriceDesk {
  /** The source of prices in words. */
  readonly description: string;
  /** Whether prices come from venues. */
  readonly isLive: boolean;
  list(): readonly PairPrices[];
  /** Finds the pair that a name in a request means. */
  readonly pairOf: PairFinder;
  /** Stores and applies a choice, or returns why it stored none: it is refused, or the present choice has changed. */
  choose(request: ChoiceRequest): Promise<ChoiceResult>;
  /** Computes how the choice of a source would act at this moment. */
  effectOf(pair: PairId, source: string): ChoiceEffect | ChoiceRefused;
  /** Halts a pair whose prices a part of the service finds implausible; see `PriceChoices.halt`. */
  readonly halt: PriceChoices["halt"];
  /**
   * Missing prices that an operator must notice, one warning for each kind; none when prices do not come from venues.
   */
  warnings(): readonly SourceWarning[];
  /** One sentence when open markets lack fresh prices; null when none does, and when prices do not come from venues. */
  missingPricesText(): string | null;
}

export interface PriceDeskOptions {
  readonly description: string;
  /** The live feed; null when prices do not come from venues. */
  readonly feed: LiveFeed | null;
  /** The name of the source when prices do not come from venues. */
  readonly source: string;
  readonly instruments: Instruments;
  readonly quotes: Quotes;
  readonly choices: PriceChoices;
  readonly history: PriceHistory;
  /** How many accounts hold each pair. A pair without holders may be absent. */
  readonly holders: () => ReadonlyMap<PairId, number>;
  /** Counts the triggers that a quote would reach. */
  readonly reachedBy: (quote: Quote) => ReachedTriggers;
  readonly clock: Clock;
}

/** How long the answer of `missingPricesText` is reused, because calls without a signature read it. */
const KNOWN_FOR_MS = 1_000;

export function createPriceDesk(options: PriceDeskOptions): PriceDesk {
  const { feed, choices, instruments, clock } = options;
  const list = (): readonly PairPrices[] => {
    const views = new Map(feed?.pairs().map((view) => [view.pair, view]));
    const holders = options.holders();
    return [...instruments.values()].map((instrument) => {
      const { id } = instrument;
      const prices = pairPrices(options, instrument, views.get(id) ?? null);
      return { ...prices, holders: holders.get(id) ?? 0 };
    });
  };
  let known: { readonly atMs: number; readonly missing: string | null } | null = null;
  return {
    description: options.description,
    isLive: feed !== null,
    list,
    pairOf: createPairFinder(instruments),
    async choose(request) {
      const { pair, chosen } = request;
      if (!instruments.has(pair)) return unknownPair(pair);
      const effect = chosen.kind === "use" ? effectOfUse(options, pair, chosen.source) : null;
      if (effect !== null && "refused" in effect) return effect;
      if (chosen.kind === "use" && effect?.isFar === true && !chosen.isFar) {
        return { refused: "far", text: farChoiceText(pair, chosen.source, effect) };
      }
      const choice = await choices.choose(request);
      return "changed" in choice ? choice : { choice, effect };
    },
    effectOf: (pair, source) =>
      instruments.has(pair) ? effectOfUse(options, pair, source) : unknownPair(pair),
    halt: (pair, why) => choices.halt(pair, why),
    warnings: () => (feed === null ? [] : warningsOf(list())),
    missingPricesText() {
      if (feed === null) return null;
      const nowMs = clock.now();
      if (known === null || Math.abs(nowMs - known.atMs) >= KNOWN_FOR_MS) {
        known = { atMs: nowMs, missing: missingText(list()) };
      }
      return known.missing;
    },
  };
}

function unknownPair(pair: PairId): ChoiceRefused {
  return { refused: "unknownPair", text: `${pair} is not a pair of the catalogue` };
}

function effectOfUse(
  options: PriceDeskOptions,
  pair: PairId,
  source: string,
): ChoiceEffect | ChoiceRefused {
  const { feed } = options;
  if (feed === null) {
    return {
      refused: "notLive",
      text: "Prices are not live: only PROPGATE_PRICES gives sources to choose from",
    };
  }
  const view = feed.pairs().find((one) => one.pair === pair);
  const names = view?.sources.map(({ name }) => name) ?? [];
  if (view !== undefined && names.includes(source))
    return computeChoiceEffect(options, view, source);
  return {
    refused: "unknownSource",
    text: `source: must be one of ${pair}'s sources: ${names.length === 0 ? "it has none" : names.join(", ")}`,
    field: "source",
  };
}

function pairPrices(
  { quotes, choices, history, clock, ...options }: PriceDeskOptions,
  instrument: Instrument,
  view: PairView | null,
): Omit<PairPrices, "holders"> {
  const nowMs = clock.now();
  const quote = quotes.get(instrument.id) ?? null;
  const choice = choices.choiceOf(instrument.id);
  const sources = view?.sources ?? [];
  const known: Known = { instrument, quote, choice, view, sources, nowMs };
  const state = stateOf(known, options.feed !== null);
  return {
    instrument,
    state,
    problem: problemOf(state, known),
    source: options.feed === null ? options.source : speakerOf(state, view),
    quote,
    changes: view?.changes ?? 0,
    sources,
    recent: history.recent(instrument.id, nowMs),
    choice,
  };
}

/** The source that speaks; null when none does. The last speaker of a held pair is not used, so it is not shown. */
function speakerOf(state: PairState, view: PairView | null): string | null {
  return state === "held" ? null : (view?.speaker ?? null);
}

/** Everything from which the state of a pair is computed. */
interface Known {
  readonly instrument: Instrument;
  readonly quote: Quote | null;
  readonly choice: PriceChoice | null;
  /** The state of the pair's sources; null when prices do not come from venues. */
  readonly view: PairView | null;
  readonly sources: readonly PairSourceView[];
  readonly nowMs: UnixMs;
}

function stateOf(known: Known, isLive: boolean): PairState {
  const { instrument, quote, choice, sources, nowMs } = known;
  if (choice?.chosen.kind === "halt") return "halted";
  if (quote !== null && isLastPrice(quote, instrument, nowMs)) return "last";
  if (isLive && (sources.length === 0 || unconfiguredChoice(known) !== null)) return "unpriced";
  if (!isOpen(instrument.session, nowMs)) return "closed";
  if (known.view?.isHeld === true) return "held";
  // The operator has chosen a source that is silent. The fresh quote of another source is not a price of the pair.
  if (known.view?.isSilent === true) return "missing";
  return quote !== null && isFresh(quote, instrument, nowMs) ? "live" : "missing";
}

/** The chosen source when it is not configured for the pair; null when the choice can be followed. */
function unconfiguredChoice({ choice, sources }: Known): string | null {
  if (choice?.chosen.kind !== "use") return null;
  const { source } = choice.chosen;
  return sources.some(({ name }) => name === source) ? null : source;
}

function problemOf(state: PairState, known: Known): string | null {
  const { choice, sources } = known;
  switch (state) {
    case "live":
    case "closed":
      return null;
    case "halted":
      return "Orders are rejected and triggers wait until an operator chooses auto or a source.";
    case "last":
      return "The pair is retired and no source has had a price for an hour. Exits fill at its last price.";
    case "unpriced": {
      const chosen = unconfiguredChoice(known);
      return chosen === null
        ? "No configured source has a symbol for the pair. Set PROPGATE_PRICES or the catalogue's symbols."
        : `The chosen source ${chosen} is not configured for the pair. Choose another, or auto.`;
    }
    case "held":
      if (known.view !== null && known.view.far !== null) {
        return `The price of ${known.view.far} is far from the pair's last one, and no other source confirms it. Compare it with the venue's page, then choose it with far.`;
      }
      return `${freshSourcesText(sources)} differ by more than the limit, so none is used. Choose one, or wait until they agree.`;
    case "missing":
      return choice?.chosen.kind === "use"
        ? `The chosen source ${choice.chosen.source} has no fresh quote. No other is used until auto is chosen.`
        : "No source has a fresh quote. Orders are rejected and triggers wait.";
  }
}

function freshSourcesText(sources: readonly PairSourceView[]): string {
  return sources
    .filter(({ quote }) => quote !== null)
    .map(({ name }) => name)
    .join(" and ");
}

/** False for a blocked pair without holders, because no account needs its prices. @rule D13.blocked */
export function isTraded({ instrument, holders }: PairPrices): boolean {
  return !instrument.blocked || holders > 0;
}

const STATE_WARNINGS: Readonly<Partial<Record<PairState, string>>> = {
  unpriced: "pairs that no configured or chosen source can price; their orders are rejected",
  held: "pairs whose sources differ, so that none is used until they agree or one is chosen",
  missing: "open pairs without a fresh quote; their orders are rejected",
};

function warningsOf(pairs: readonly PairPrices[]): readonly SourceWarning[] {
  return Object.entries(STATE_WARNINGS).flatMap(([state, reason]) => {
    const affected = pairs.filter((pair) => pair.state === state && isTraded(pair));
    const [first] = affected;
    if (first === undefined) return [];
    return [{ source: "prices", reason, count: affected.length, first: first.instrument.id }];
  });
}

/**
 * The text of `PriceDesk.missingPricesText`. Halted and unpriced pairs result from decisions, so they do not count as
 * missing prices.
 */
function missingText(all: readonly PairPrices[]): string | null {
  const pairs = all.filter(isTraded);
  const missing = pairs.filter(({ state }) => state === "missing" || state === "held");
  const open = pairs.filter(({ state }) => state === "live").length + missing.length;
  const [first] = missing;
  if (first === undefined) return null;
  return `${missing.length} of ${open} open pairs have no fresh price, such as ${first.instrument.id}`;
}
