import type { OperatorAccount } from "@propgate/contract";
import {
  type AccountState,
  accrualOf,
  balanceOf,
  breachPriceOf,
  createQuoteFreshnessFinder,
  dollars,
  exposureOf,
  firstBreachMovePct,
  type LeverageTier,
  type LimitUsage,
  type MicroUsd,
  type Moment,
  type MostUsedLimits,
  momentOfHoldings,
  mostUsedLimits,
  type QuoteFreshness,
  shownEquityOf,
  sumUnpaidTotals,
  todayPnlOf,
  type UnixMs,
} from "@propgate/core";
import type { IndexedAccount, LinkedSummary } from "@propgate/ledger";
import { ASSET_CLASS_WORDS, eliminationReason, LOSS_LIMIT_WORDS, operatorPhase } from "../wire.ts";
import { usdOrNull } from "./usd-or-null.ts";

/** The moment at which the accounts of a list are valued, with the freshness of its quotes. */
export interface ValuationMoment {
  readonly moment: Moment;
  /** The time up to which the accounts have been settled at the quotes of the board. */
  readonly valuedAtMs: UnixMs;
  readonly freshness: (account: Pick<AccountState, "positions">) => QuoteFreshness;
}

/** Makes the moment at which the accounts of a list are valued. */
export function createValuationMoment(moment: Moment, valuedAtMs: UnixMs): ValuationMoment {
  return { moment, valuedAtMs, freshness: createQuoteFreshnessFinder(moment) };
}

/** An account of the service's own network at a moment. */
export interface ValuedAccount extends Omit<IndexedAccount, "version"> {
  readonly moment: Moment;
  readonly valuedAtMs: UnixMs;
  readonly freshness: ValuationMoment["freshness"];
  /**
   * The equity; null while an open position has no price. It is computed at the first call, because not every field
   * needs it.
   */
  readonly equity: () => MicroUsd | null;
}

function equityIn(state: AccountState, moment: Moment): MicroUsd | null {
  const equity = shownEquityOf(state, moment);
  return equity.ok ? equity.value : null;
}

/** The account at a moment, with the quotes in the scale of its holdings. */
export function valueAccount(
  { state, activity }: Omit<IndexedAccount, "version">,
  { moment: world, valuedAtMs, freshness: ofAll }: ValuationMoment,
): ValuedAccount {
  const moment = momentOfHoldings(state, world);
  let known: MicroUsd | null | undefined;
  return {
    state,
    activity,
    moment,
    valuedAtMs,
    freshness: moment === world ? ofAll : createQuoteFreshnessFinder(moment),
    equity() {
      if (known === undefined) known = equityIn(state, moment);
      return known;
    },
  };
}

/** An account of a list, without the owner's name and the external id, which are in no journal. */
export type AccountItem = Omit<OperatorAccount, "ownerName" | "externalId">;

type Field = keyof AccountItem;

/** The parts of an item. The fields of one part are computed together. */
interface Parts {
  readonly sold: ReturnType<typeof soldFields>;
  readonly life: ReturnType<typeof lifetimeFields>;
  readonly balances: ReturnType<typeof balanceFields>;
  readonly limits: ReturnType<typeof limitFields>;
  readonly breach: ReturnType<typeof breachFields>;
  readonly breachPrices: ReturnType<typeof breachPriceFields>;
  readonly exposure: ReturnType<typeof exposureFields>;
  readonly reward: ReturnType<typeof rewardFields>;
  readonly freshness: ReturnType<typeof freshnessFields>;
}

const PARTS: { readonly [Part in keyof Parts]: (valued: ValuedAccount) => Parts[Part] } = {
  sold: soldFields,
  life: lifetimeFields,
  balances: balanceFields,
  limits: limitFields,
  breach: breachFields,
  breachPrices: breachPriceFields,
  exposure: exposureFields,
  reward: rewardFields,
  freshness: freshnessFields,
};

/** For each field, the part that has it. */
const PART_OF: { readonly [Name in Field]: PartWith<Name> } = {
  accountId: "sold",
  ownerId: "sold",
  network: "sold",
  status: "sold",
  phase: "sold",
  step: "sold",
  programId: "sold",
  programVersion: "sold",
  size: "sold",
  assetClass: "sold",
  drawdownCriteria: "sold",
  dailyLossPct: "sold",
  tier: "sold",
  openedAtMs: "life",
  endedAtMs: "life",
  endReason: "life",
  openPositions: "life",
  restingOrders: "life",
  lastOrderAtMs: "life",
  lastActivityAtMs: "life",
  idleSinceMs: "life",
  payoutDue: "life",
  valuedAtMs: "life",
  balance: "balances",
  equity: "balances",
  dayStartEquity: "balances",
  todayPnl: "balances",
  todayPnlPct: "balances",
  nearestLimit: "limits",
  nearestUsedOfLimitPct: "limits",
  nearestRemaining: "limits",
  dailyUsedOfLimitPct: "limits",
  dailyRemaining: "limits",
  dailyFloor: "limits",
  lossUsedOfLimitPct: "limits",
  lossRemaining: "limits",
  lossFloor: "limits",
  breachMovePct: "breach",
  dailyBreachPrice: "breachPrices",
  lossBreachPrice: "breachPrices",
  exposureGross: "exposure",
  exposureNet: "exposure",
  payoutAccruing: "reward",
  oldestQuoteAtMs: "freshness",
  isStale: "freshness",
};

type PartWith<Name extends Field> = {
  [Part in keyof Parts]: Name extends keyof Parts[Part] ? Part : never;
}[keyof Parts];

/**
 * An account of the service's own network with every field of a list. Each part computes its figures at the one moment
 * of `valued`, with the functions of the account's own answers. @rule D9.accountIndex decides
 */
export function accountItem(valued: ValuedAccount): AccountItem {
  return {
    ...soldFields(valued),
    ...lifetimeFields(valued),
    ...balanceFields(valued),
    ...limitFields(valued),
    ...breachFields(valued),
    ...breachPriceFields(valued),
    ...exposureFields(valued),
    ...rewardFields(valued),
    ...freshnessFields(valued),
  };
}

/**
 * Returns a function that computes the named fields, and the other fields of their parts. A list of many accounts needs
 * only a few.
 */
export function createAccountFieldReader(
  names: Iterable<string>,
): (valued: ValuedAccount) => Partial<AccountItem> {
  const known = new Map<string, keyof Parts>(Object.entries(PART_OF));
  const parts = new Set([...names].flatMap((name) => known.get(name) ?? []));
  const made = [...parts].map((part) => PARTS[part]);
  const [first = soldFields, ...others] = made;
  return (valued) => {
    // The object of the first part is made for this call, so the fields of the other parts may be added to it.
    const item: Partial<AccountItem> = first(valued);
    for (const part of others) Object.assign(item, part(valued));
    return item;
  };
}

const TIERS: Readonly<Record<LeverageTier, number | null>> = {
  tier1: 1,
  tier2: 2,
  tier3: 3,
  pro: null,
};

function soldFields({ state }: ValuedAccount) {
  const { accountId, ownerId, status, phase, terms } = state;
  const word = operatorPhase(phase);
  return {
    accountId,
    ownerId,
    network: "embedded" as const,
    status,
    phase: word,
    step: word,
    programId: terms.programId,
    programVersion: terms.programVersion,
    size: dollars(terms.size),
    assetClass: ASSET_CLASS_WORDS[terms.assetClass],
    drawdownCriteria: terms.criteria,
    dailyLossPct: terms.challenge.dailyLossPct,
    tier: TIERS[terms.tier],
  };
}

function lifetimeFields({ state, activity, valuedAtMs }: ValuedAccount) {
  const { openedAtMs, elimination, positions, orders } = state;
  const { lastOrderAtMs, lastActivityAtMs, endedAtMs } = activity;
  return {
    openedAtMs,
    endedAtMs,
    endReason: elimination === null ? null : eliminationReason(elimination.cause),
    openPositions: positions.length,
    restingOrders: orders.length === 0 ? 0 : orders.filter(({ kind }) => kind !== "bracket").length,
    lastOrderAtMs,
    lastActivityAtMs,
    idleSinceMs: state.idleSinceMs ?? lastOrderAtMs ?? openedAtMs,
    payoutDue: state.unpaid.length === 0 ? 0 : dollars(sumUnpaidTotals(state).amount),
    valuedAtMs,
  };
}

function isActive({ status }: Pick<AccountState, "status">): boolean {
  return status === "active";
}

function balanceFields(valued: ValuedAccount) {
  const { state } = valued;
  const equity = valued.equity();
  const today = equity === null ? null : todayPnlOf(state, equity);
  return {
    balance: dollars(balanceOf(state)),
    equity: usdOrNull(equity),
    dayStartEquity: isActive(state) ? dollars(state.day.startEquity) : null,
    todayPnl: usdOrNull(today?.pnl ?? null),
    todayPnlPct: today?.pct ?? null,
  };
}

const NO_SHARES: MostUsedLimits = { nearest: null, daily: null, other: null };

/**
 * The used shares of the limits. They are null for an account that has not started or has ended, and while its equity
 * is unknown.
 */
function usedLimitShares({ state, equity }: ValuedAccount): MostUsedLimits {
  const now = isActive(state) ? equity() : null;
  return now === null ? NO_SHARES : mostUsedLimits(state, now);
}

function limitFields(valued: ValuedAccount) {
  const { nearest, daily, other } = usedLimitShares(valued);
  return {
    nearestLimit: nearest === null ? null : LOSS_LIMIT_WORDS[nearest.rule].rule,
    nearestUsedOfLimitPct: usedOf(nearest),
    nearestRemaining: remainingOf(nearest),
    dailyUsedOfLimitPct: usedOf(daily),
    dailyRemaining: remainingOf(daily),
    dailyFloor: floorOf(daily),
    lossUsedOfLimitPct: usedOf(other),
    lossRemaining: remainingOf(other),
    lossFloor: floorOf(other),
  };
}

function usedOf(share: LimitUsage | null): number | null {
  return share === null ? null : share.usedOfLimitPct;
}

function remainingOf(share: LimitUsage | null): number | null {
  return share === null ? null : dollars(share.remainingNow);
}

function floorOf(share: LimitUsage | null): number | null {
  return share === null ? null : dollars(share.floor);
}

function breachFields({ state, equity, moment }: ValuedAccount) {
  // Without an open position, a move of prices cannot cause a breach.
  const isMoved = isActive(state) && state.positions.length > 0;
  const now = isMoved ? equity() : null;
  return { breachMovePct: now === null ? null : firstBreachMovePct(state, now, moment) };
}

function breachPriceFields(valued: ValuedAccount) {
  const { daily, other } = usedLimitShares(valued);
  const { state, moment } = valued;
  const priceOf = (share: LimitUsage | null) =>
    share === null ? null : breachPriceOf(state, share, moment);
  return { dailyBreachPrice: priceOf(daily), lossBreachPrice: priceOf(other) };
}

function exposureFields({ state, moment }: ValuedAccount) {
  const sums = exposureOf(state, moment);
  return {
    exposureGross: usdOrNull(sums?.gross ?? null),
    exposureNet: usdOrNull(sums?.net ?? null),
  };
}

function rewardFields({ state, moment }: ValuedAccount) {
  const accrual = accrualOf(state, moment);
  return { payoutAccruing: usdOrNull(accrual.ok ? (accrual.value?.estimate ?? null) : null) };
}

function freshnessFields({ state, freshness: of }: ValuedAccount) {
  return { ...of(state) };
}

const UNSENT = {
  phase: null,
  step: null,
  programId: null,
  programVersion: null,
  size: null,
  assetClass: null,
  drawdownCriteria: null,
  dailyLossPct: null,
  tier: null,
  endReason: null,
  balance: null,
  equity: null,
  dayStartEquity: null,
  todayPnl: null,
  todayPnlPct: null,
  nearestLimit: null,
  nearestUsedOfLimitPct: null,
  nearestRemaining: null,
  breachMovePct: null,
  dailyUsedOfLimitPct: null,
  dailyRemaining: null,
  dailyFloor: null,
  dailyBreachPrice: null,
  lossUsedOfLimitPct: null,
  lossRemaining: null,
  lossFloor: null,
  lossBreachPrice: null,
  exposureGross: null,
  exposureNet: null,
  openPositions: null,
  restingOrders: null,
  payoutDue: null,
  payoutAccruing: null,
  oldestQuoteAtMs: null,
} as const;

/** A linked account with the fields that this service knows itself; those that the validator sends are null. */
export function linkedAccountItem(entry: LinkedSummary): AccountItem {
  const { accountId, ownerId, status, createdAtMs, endedAtMs, readAtMs } = entry;
  const { lastOrderAtMs, lastActivityAtMs } = entry;
  return {
    ...UNSENT,
    accountId,
    ownerId,
    network: "vanta",
    status,
    openedAtMs: createdAtMs,
    endedAtMs,
    lastOrderAtMs,
    lastActivityAtMs,
    idleSinceMs: lastOrderAtMs ?? createdAtMs,
    valuedAtMs: readAtMs,
    isStale: hasOldReading(entry),
  };
}

/** True for an account that is still read when its newest reading failed, or when there is none. */
function hasOldReading({ status, readAtMs, isFailing }: LinkedSummary): boolean {
  const isRead = status === "active" || status === "provisioning";
  return isRead && (readAtMs === null || isFailing);
}
