import type { AccountState } from "../account/account.ts";
import type { Instrument } from "../market/instrument.ts";
import { markOf } from "../market/mark.ts";
import { notionalUsd, usdRateAt } from "../market/valuation.ts";
import type { Draft } from "../network/draft.ts";
import type { Position } from "../positions/position.ts";
import { dollars, type Leverage, leverage, type MicroUsd } from "../units.ts";

type Terms = AccountState["terms"];

/** What one cap still allows. */
export interface Room {
  /** As `bindingCap` names it, such as `per pair cap 1.5x`. */
  readonly cap: string;
  /** Dollars of value, below zero where the market has carried the exposure past the cap. */
  readonly usd: number;
}

/** A cap on the account's exposure in some of the pairs. */
interface Cap {
  readonly name: string;
  readonly leverage: Leverage;
  readonly covers: (instrument: Instrument) => boolean;
}

/**
 * The least room of all caps that bind an entry. Of equal ones the narrower names itself, so the
 * list goes from narrow to wide. Buying power is by its definition the portfolio cap's room, and
 * so never comes before it.
 * @rule D5.caps D5.equalCaps
 */
export function tightestRoom(draft: Draft, instrument: Instrument): Room {
  const exposures = exposuresOf(draft);
  const [narrowest, ...wider] = capsOf(draft.state.terms, instrument);
  let least = roomOf(narrowest, draft, exposures);
  for (const cap of wider) {
    const room = roomOf(cap, draft, exposures);
    if (room.usd < least.usd) least = room;
  }
  return least;
}

/** The most of one pair that any of the caps allows, as a multiple of the balance. @rule D5.caps */
export function leverageCapOf(terms: Terms, instrument: Instrument): Leverage {
  const caps = capsOf(terms, instrument).map((cap) => cap.leverage);
  return leverage(Math.min(...caps));
}

function capsOf(terms: Terms, instrument: Instrument): readonly [Cap, ...Cap[]] {
  const classCap = terms.classCaps[instrument.assetClass];
  return [
    {
      name: "per pair cap",
      leverage: instrument.leverageCaps[terms.tier],
      covers: (other) => other.id === instrument.id,
    },
    {
      name: `per class cap ${instrument.assetClass}`,
      leverage: classCap,
      covers: (other) => other.assetClass === instrument.assetClass,
    },
    ...groupCaps(terms, instrument),
    { name: "overall portfolio cap", leverage: terms.portfolioCap, covers: () => true },
  ];
}

/** Currencies, sectors and indices, where the terms have a cap for their kind. @rule D7.groups */
function groupCaps(terms: Terms, instrument: Instrument): readonly Cap[] {
  return instrument.exposureGroups.flatMap((group) => {
    const [kind = group] = group.split(":");
    const cap = terms.groupCaps[kind];
    if (cap === undefined) return [];
    return {
      name: `${group} exposure cap`,
      leverage: cap,
      covers: (other: Instrument) => other.exposureGroups.includes(group),
    };
  });
}

interface Exposure {
  readonly instrument: Instrument;
  /** Dollars at the mark, a magnitude. */
  readonly usd: number;
}

function roomOf(cap: Cap, draft: Draft, exposures: readonly Exposure[]): Room {
  const used = exposures
    .filter(({ instrument }) => cap.covers(instrument))
    .reduce((sum, { usd }) => sum + usd, 0);
  return {
    cap: `${cap.name} ${cap.leverage}x`,
    usd: cap.leverage * dollars(draft.balance) - used,
  };
}

function exposuresOf(draft: Draft): readonly Exposure[] {
  return draft.state.positions.flatMap((position) => {
    const instrument = draft.moment.instruments.get(position.pair);
    return instrument === undefined
      ? []
      : [{ instrument, usd: dollars(markedValue(draft, position, instrument)) }];
  });
}

/** At the mark; at entry while the pair has had no quote. */
function markedValue(draft: Draft, position: Position, instrument: Instrument): MicroUsd {
  const quote = draft.moment.quotes.get(position.pair);
  if (quote === undefined) return position.entryValue;
  const mark = markOf(position.direction, quote);
  const usdRate = usdRateAt(instrument, mark, draft.moment);
  if (usdRate === null) return position.entryValue;
  return notionalUsd(instrument, { quantity: position.quantity, price: mark, usdRate });
}
