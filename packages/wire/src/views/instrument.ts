import type { InstrumentItem } from "@propgate/contract";
import {
  type CarryModel,
  dollars,
  type FundingRates,
  type Instrument,
  isOpen,
  leverageCapOf,
  lots,
  type MicroUsd,
  minPositionOnGrid,
  nextClose,
  nextOpening,
  pairRefusal,
  type Session,
  type UnixMs,
} from "@propgate/core";
import type { MarketReading } from "@propgate/ledger";

const CHARGES_A_DAY = 3;
const DAYS_A_YEAR = 365;

/** Every pair of the catalogue with this account's limits, in the catalogue's order. @rule D9.instruments decides */
export function instrumentViews({
  state,
  moment,
  funding,
}: MarketReading): readonly InstrumentItem[] {
  const hours = createSessionHoursReader(moment.now);
  return [...moment.instruments.values()].map((instrument) => ({
    ...termsView(instrument),
    funding: fundingView(instrument, { funding, now: moment.now }),
    ...leastSizeView(instrument, state.terms.size),
    leverageCap: leverageCapOf(state.terms, instrument),
    ...hours(instrument.session),
    isTradable: state.status === "active" && pairRefusal(state.terms, instrument) === null,
  }));
}

function termsView(
  instrument: Instrument,
): Omit<
  InstrumentItem,
  | "funding"
  | "leastQuantity"
  | "leastValue"
  | "leverageCap"
  | "isOpen"
  | "changesAtMs"
  | "isTradable"
> {
  const { id, display, assetClass, base, quote, lotSize, tick, staleAfterMs } = instrument;
  return {
    tradePair: id,
    tradePairDisplay: display,
    aliases: instrument.aliases,
    assetClass,
    base,
    quoteCurrency: quote,
    quoteIsUsd: quote === "USD" || instrument.quoteIsUsd,
    lotSize,
    lotUnit: `${lotSize.toLocaleString("en-US")} ${base}`,
    ...gridView(instrument),
    tick,
    priceStep: instrument.priceStep,
    feePercent: percentOfRatio(instrument.feeRatio),
    ...carryView(instrument.carry),
    borrowPercent: percentOfRatio((instrument.borrowRate ?? 0) * DAYS_A_YEAR),
    session: instrument.session.id,
    staleAfterMs,
  };
}

/**
 * The steps of a pair's quantities in lots. `gridStepSmallAccount` is null when small accounts have no step of their
 * own.
 */
export function gridView({
  gridStep,
  gridStepSmallAccount: finer,
}: Pick<Instrument, "gridStep" | "gridStepSmallAccount">): {
  readonly gridStep: number;
  readonly gridStepSmallAccount: number | null;
} {
  return {
    gridStep: lots(gridStep),
    gridStepSmallAccount: finer === null ? null : lots(finer),
  };
}

/**
 * The minimum size of a position that this account can open. `leastQuantity` is in lots, rounded up to the account's
 * grid; `leastValue` is in USD. An instrument has one of the two, and the other is null. @rule D10.leastSize decides
 */
function leastSizeView(
  instrument: Instrument,
  accountSize: MicroUsd,
): Pick<InstrumentItem, "leastQuantity" | "leastValue"> {
  const { leastPosition: min } = instrument;
  if (min.kind === "value") return { leastQuantity: null, leastValue: dollars(min.value) };
  const smallest = minPositionOnGrid(instrument, min.quantity, accountSize);
  return { leastQuantity: lots(smallest), leastValue: null };
}

/**
 * The funding of a pair that is charged each hour: its fixed rate, or else the newest rate that is not in the future.
 * Null for other pairs. @rule D11.funding D13.fundingBounds
 */
function fundingView(
  { id, carry }: Instrument,
  { funding, now }: { readonly funding: FundingRates; readonly now: UnixMs },
): InstrumentItem["funding"] {
  if (carry.kind !== "everyHour") return null;
  const { rate: fixed, isCostOnly = false } = carry;
  const rest = { isFixed: fixed !== null, isCostOnly };
  if (fixed !== null) return { percent: percentOfRatio(fixed), hourMs: null, ...rest };
  const rates = [...(funding.get(id) ?? [])].filter(([hourMs]) => hourMs <= now);
  if (rates.length === 0) return { percent: null, hourMs: null, ...rest };
  const [hourMs, rate] = rates.reduce((one, other) => (other[0] > one[0] ? other : one));
  return { percent: percentOfRatio(rate), hourMs, ...rest };
}

function carryView(carry: CarryModel): Pick<InstrumentItem, "carryPercent" | "carryBasis"> {
  switch (carry.kind) {
    case "none":
    case "everyHour":
      return { carryPercent: 0, carryBasis: "none" };
    case "everyEightHours":
      return { carryPercent: percentOfRatio(carry.rate * CHARGES_A_DAY), carryBasis: "daily" };
    case "daily":
      return { carryPercent: percentOfRatio(carry.rate * DAYS_A_YEAR), carryBasis: "yearly" };
  }
}

/** A ratio in percent, without the binary noise of the multiplication. */
export function percentOfRatio(ratio: number): number {
  return Number((ratio * 100).toPrecision(12));
}

/** Whether a market is open, and when that changes. */
export interface SessionHours {
  readonly isOpen: boolean;
  /** When the market next closes, or opens if it is closed; null when it never does again. */
  readonly changesAtMs: number | null;
}

/**
 * Returns a function that gives whether a session is open at `now` and when that changes. Both are computed once for
 * each session.
 */
export function createSessionHoursReader(now: UnixMs): (session: Session) => SessionHours {
  const known = new Map<Session, SessionHours>();
  return (session) => {
    const before = known.get(session);
    if (before !== undefined) return before;
    const open = isOpen(session, now);
    const changesAtMs = open ? nextClose(session, now) : nextOpening(session, now);
    const hours: SessionHours = { isOpen: open, changesAtMs };
    known.set(session, hours);
    return hours;
  };
}
