import type { Instrument } from "../market/instrument.ts";
import { markOf } from "../market/mark.ts";
import { notionalUsd, usdRateAt } from "../market/valuation.ts";
import type { AccountState } from "../state/account.ts";
import type { Draft } from "../state/draft.ts";
import type { ExposureCap } from "../state/exposure-cap.ts";
import type { Direction } from "../state/order.ts";
import type { Position } from "../state/position.ts";
import { dollars, type Leverage, leverage, type MicroUsd } from "../units.ts";

type Terms = AccountState["terms"];

/** A cap, and the value that may still be opened within it. */
export interface CapRoom {
  readonly cap: ExposureCap;
  /** USD; negative when the exposure is beyond the cap, for example after prices moved. */
  readonly usd: number;
}

/** The instrument and the direction of an entry. */
export interface ExposureSide {
  readonly instrument: Instrument;
  readonly direction: Direction;
}

/** The instrument and the direction of a position. The instrument is null when no catalogue knows the pair. */
interface HeldSide {
  readonly instrument: Instrument | null;
  readonly direction: Direction;
}

/** A cap that limits an entry. `covers` selects the positions that count against it. */
interface Cap extends ExposureCap {
  readonly covers: (held: HeldSide) => boolean;
}

/**
 * The cap with the smallest room among all caps that bind an entry, and that room. Caps are compared from narrow to
 * wide, so when two rooms are equal, the narrower cap is returned. Buying power is the room of the portfolio cap, so it
 * needs no cap of its own. @rule D5.caps @rule D5.equalCaps decides
 */
export function findTightestRoom(draft: Draft, entry: ExposureSide): CapRoom {
  const exposures = exposuresOf(draft);
  const [narrowest, ...wider] = capsOf(draft.state.terms, entry);
  let tightest = roomOf(narrowest, draft, exposures);
  for (const cap of wider) {
    const room = roomOf(cap, draft, exposures);
    if (room.usd < tightest.usd) tightest = room;
  }
  return tightest;
}

/** The maximum leverage on one pair: the lowest of all its caps. @rule D5.caps */
export function leverageCapOf(terms: Terms, instrument: Instrument): Leverage {
  // A group has the same cap for both directions, so either direction gives the same result.
  const caps = capsOf(terms, { instrument, direction: "long" }).map(({ cap }) => cap);
  return leverage(Math.min(...caps));
}

/**
 * The caps that limit an entry, from narrow to wide. The pair's own cap comes from its catalogue entry, for the tier of
 * the account's terms. The catalogue gives NZD crosses lower caps than other forex pairs. @rule D10.nzdCaps decides
 */
function capsOf(terms: Terms, entry: ExposureSide): readonly [Cap, ...Cap[]] {
  const { instrument } = entry;
  const classCap = terms.classCaps[instrument.assetClass];
  return [
    {
      of: { kind: "pair" },
      cap: instrument.leverageCaps[terms.tier],
      covers: (held) => held.instrument?.id === instrument.id,
    },
    {
      of: { kind: "class", assetClass: instrument.assetClass },
      cap: classCap,
      covers: (held) => held.instrument?.assetClass === instrument.assetClass,
    },
    ...groupCaps(terms, entry),
    { of: { kind: "portfolio" }, cap: terms.portfolioCap, covers: () => true },
  ];
}

/**
 * The caps of the instrument's exposure groups, such as currencies and sectors, where the terms have a cap for that
 * kind of group. Each side of a group has the whole cap: only positions on the entry's side count against it.
 * @rule D7.groups D10.groupSides decides
 */
function groupCaps(terms: Terms, { instrument, direction }: ExposureSide): readonly Cap[] {
  return instrument.exposureGroups.flatMap((group) => {
    const [kind = group] = group.split(":");
    const cap = terms.groupCaps[kind];
    if (cap === undefined) return [];
    const side = sideInGroup(group, { instrument, direction });
    return {
      of: { kind: "group" as const, group },
      cap,
      covers: ({ instrument: held, direction: heldSide }: HeldSide) =>
        held?.exposureGroups.includes(group) === true &&
        sideInGroup(group, { instrument: held, direction: heldSide }) === side,
    };
  });
}

/**
 * The side of an entry or position within a group. Buying EURUSD buys EUR and sells USD; buying USDJPY buys USD. In a
 * sector or an index the direction itself counts. @rule D10.groupSides
 */
function sideInGroup(group: string, { instrument, direction }: ExposureSide): Direction {
  const sellsIt = group === `currency:${instrument.quote}`;
  return sellsIt ? OPPOSITE[direction] : direction;
}

const OPPOSITE: Readonly<Record<Direction, Direction>> = { long: "short", short: "long" };

interface Exposure extends HeldSide {
  /** The value in USD that `markedValue` returns, without a sign. */
  readonly usd: number;
}

function roomOf(cap: Cap, draft: Draft, exposures: readonly Exposure[]): CapRoom {
  const used = exposures.filter((held) => cap.covers(held)).reduce((sum, { usd }) => sum + usd, 0);
  return {
    cap: { cap: cap.cap, of: cap.of },
    usd: cap.cap * dollars(draft.balance) - used,
  };
}

/**
 * The open positions as exposures. A position whose pair no catalogue knows counts only against the portfolio cap,
 * because its class and groups are unknown.
 */
function exposuresOf(draft: Draft): readonly Exposure[] {
  return draft.state.positions.map((position) => {
    const instrument = draft.moment.instruments.get(position.pair) ?? null;
    return {
      instrument,
      direction: position.direction,
      usd: dollars(markedValue(draft, position, instrument)),
    };
  });
}

/** The position's value at the mark, or its value at entry while the pair is unknown or has no quote or no rate. */
function markedValue(draft: Draft, position: Position, instrument: Instrument | null): MicroUsd {
  const quote = draft.moment.quotes.get(position.pair);
  if (instrument === null || quote === undefined) return position.entryValue;
  const mark = markOf(position.direction, quote);
  const usdRate = usdRateAt(instrument, mark, draft.moment);
  if (usdRate === null) return position.entryValue;
  return notionalUsd(instrument, { quantity: position.quantity, price: mark, usdRate });
}
