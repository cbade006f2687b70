/** The phrases with which a scenario describes events, figures and refusals. */

import type { Accrual } from "../payouts/accrual.ts";
import { stopLevel } from "../pending/bracket-leg.ts";
import type { LimitFigures } from "../rules/limit.ts";
import type { ProTrackFigures } from "../snapshot/pro-track-figures.ts";
import type { EliminationCause, LossRule } from "../state/account.ts";
import type { CycleClosed, Event, OrderFilled } from "../state/event.ts";
import type { ExposureCap } from "../state/exposure-cap.ts";
import type { PendingOrder } from "../state/order.ts";
import type { Position } from "../state/position.ts";
import type { Refusal } from "../state/refusal.ts";
import type { Trade } from "../state/trade.ts";
import { dollars, lots, type MicroUsd, type UnixMs } from "../units.ts";

/** The phrases of the events in their order, or `nothing` when no event has a phrase. */
export function phrasesOf(events: readonly Event[]): string {
  const phrases = events.map(phraseOf).filter((phrase) => phrase !== null);
  return phrases.length === 0 ? "nothing" : phrases.join(", ");
}

export function refusalPhrase(refusal: Refusal): string {
  if (refusal.code === "noRoom") return `refused noRoom: ${capPhrase(refusal.cap)}`;
  if (refusal.code === "wouldTrigger") {
    const { field, mustBe, side, quoted } = refusal;
    return `refused wouldTrigger: ${field} must be ${mustBe} the ${side} ${quoted}`;
  }
  if (refusal.code === "priceOffTick") {
    const { field, step, below, above } = refusal;
    return `refused priceOffTick: ${field} by ${step}, ${below ?? "nothing"} or ${above}`;
  }
  if (refusal.code !== "wrongSide") return `refused ${refusal.code}`;
  const { field, mustBe, entryPrice } = refusal;
  return `refused wrongSide: ${field} must be ${mustBe} ${entryPrice}`;
}

/** The cause of an elimination, such as `by dailyLoss in challenge`. */
export function causePhrase(cause: EliminationCause): string {
  switch (cause.kind) {
    case "lossLimit":
      return `by ${cause.rule} in ${cause.phase}`;
    case "inactivity":
      return "for inactivity";
    case "operator":
      return cause.reason;
  }
}

/** A cap, such as `pair cap 1.5x`. */
function capPhrase({ cap, of }: ExposureCap): string {
  switch (of.kind) {
    case "pair":
    case "portfolio":
      return `${of.kind} cap ${cap}x`;
    case "class":
      return `${of.assetClass} cap ${cap}x`;
    case "group":
      return `${of.group} cap ${cap}x`;
  }
}

function phraseOf(event: Event): string | null {
  switch (event.type) {
    case "orderPlaced":
      return "pending";
    case "orderEdited":
      return "edited";
    case "orderCancelled":
      if (event.reason === "roundedAway") return `rounded away ${event.orderUuid}`;
      return `cancelled ${event.orderUuid}`;
    case "orderRejected":
      return `rejected ${event.orderUuid}: ${event.refusal.code}`;
    case "orderHeld":
      return `held ${event.orderUuid}`;
    case "stopTriggered":
      return `stop ${event.orderUuid}`;
    case "trailMoved":
      return `best ${event.bestPrice}`;
    case "orderFilled":
      return fillPhrase(event);
    case "legsAttached":
      return `legs ${event.legs.length}`;
    case "dayEnded":
      return `day ended at ${moneyPhrase(event.equity)}`;
    case "carryCharged":
      return `carry ${event.charges.map(({ fee }) => moneyPhrase(fee)).join(" + ") || "none"}`;
    case "sharesSplit":
      return `split ${event.pair} ${event.newShares}:${event.oldShares}`;
    case "dividendPaid":
      return `dividend ${moneyPhrase(event.paid)}`;
    case "challengePassed":
      return `passed by ${event.by} at ${moneyPhrase(event.equity)}`;
    case "proOffered":
      return `pro offered, transition until ${isoMinute(event.transitionEndsAtMs)}`;
    case "proStarted":
      return `${event.phase} of ${moneyPhrase(event.terms.size)}`;
    case "proPromoted":
      return `promoted by ${event.by}`;
    case "drawdownDeepened":
      return null;
    case "softBreached":
      return `soft breach of ${isoMinute(event.dayStartMs)}`;
    case "limitNeared":
      return `${event.rule} at ${event.level} % with ${moneyPhrase(event.equity)}, floor ${moneyPhrase(event.floor)}`;
    case "cycleClosed":
      return cyclePhrase(event);
    case "deferralForfeited":
      return `forfeited ${moneyPhrase(event.amount)}`;
    case "payoutRecorded":
      return `payout ${event.payout.payment.status}`;
    case "switchArmed":
      return `switch armed until ${isoSecond(event.deadlineMs)}`;
    case "switchSuspended":
      return `switch suspended, ${event.spanMs / 1_000} s`;
    case "switchEnded":
      return "switch ended";
    case "switchFired": {
      const pairs = event.waiting.map(({ pair }) => pair).join(" ");
      return `switch fired${pairs === "" ? "" : `, waiting for ${pairs}`}`;
    }
    case "accountEliminated":
      return `eliminated ${causePhrase(event.elimination.cause)}`;
    case "accountClosed": {
      const { forfeited } = event;
      return `account closed${forfeited === undefined ? "" : `, ${moneyPhrase(forfeited)} forfeited`}`;
    }
    case "accountOpened":
    case "accountProvisioned":
    case "positionClosed":
      return null;
  }
}

function cyclePhrase({ profit, gross, share, released, isHeld }: CycleClosed): string {
  const sums = `cycle closed at ${moneyPhrase(profit)}: gross ${moneyPhrase(gross)} share ${moneyPhrase(share)}`;
  if (isHeld) return `${sums} held`;
  return released > 0 ? `${sums} released ${moneyPhrase(released)}` : sums;
}

/** The time to the minute, such as `2026-01-05T00:00Z`. */
export function isoMinute(at: UnixMs): string {
  return `${new Date(at).toISOString().slice(0, "2026-01-05T00:00".length)}Z`;
}

/** The time to the second, such as `2026-01-05T00:00:05Z`. */
function isoSecond(at: UnixMs): string {
  return `${new Date(at).toISOString().slice(0, "2026-01-05T00:00:00".length)}Z`;
}

const EFFECTS: Readonly<Record<OrderFilled["effect"], string>> = {
  open: "filled",
  add: "filled",
  reduce: "reduced",
  close: "closed",
};

function fillPhrase(fill: OrderFilled): string {
  const kind = fill.kind === "market" ? "" : `${fill.kind} `;
  const cap = fill.bindingCap === null ? "" : ` (${capPhrase(fill.bindingCap)})`;
  const rest = fill.tookRestAlong === true ? " with the rest" : "";
  const legs = fill.legsDropped === true ? " without its legs" : "";
  const rate = fill.rateAgeMs === undefined ? "" : ` at a rate ${fill.rateAgeMs / 1000} s old`;
  return `${kind}${EFFECTS[fill.effect]} ${lots(fill.quantity)} @ ${fill.price}${cap}${rest}${legs}${rate}`;
}

/** A position, such as `LONG 1 @ 50000`; `none` when there is no position. */
export function positionPhrase(position: Position | undefined): string {
  if (position === undefined) return "none";
  const { direction, quantity, averageEntryPrice, realizedPnl } = position;
  const realized = realizedPnl === 0 ? "" : ` realized ${moneyPhrase(realizedPnl)}`;
  return `${direction.toUpperCase()} ${lots(quantity)} @ ${averageEntryPrice}${realized}`;
}

/** A closed trade with its pair, prices, sums and status. */
export function tradePhrase(trade: Trade): string {
  const { direction, pair, quantity, averageEntryPrice, averageExitPrice, status } = trade;
  const sums = `pnl ${moneyPhrase(trade.realizedPnl)} fees ${moneyPhrase(trade.fees)}`;
  const way = `from ${averageEntryPrice} to ${averageExitPrice}`;
  return `${direction.toUpperCase()} ${lots(quantity)} ${pair} ${way} ${sums} ${status}`;
}

/** A pending order with its id, kind and limit price; for a leg its id, stop and target. */
export function orderPhrase(order: PendingOrder): string {
  if (order.kind !== "bracket") return `${order.uuid} ${order.kind} ${order.limitPrice}`;
  const stop = stopLevel(order);
  const levels = [
    stop === null ? null : `sl ${stop}`,
    order.takeProfit && `tp ${order.takeProfit}`,
  ];
  return [order.uuid, ...levels.filter((level) => level !== null)].join(" ");
}

/**
 * The pro track, such as `funded: return 0.06 met, calmar 2 met, consistency unknown, days 3 missed, drawdown 0.03`.
 */
export function proPhrase(track: ProTrackFigures | null): string {
  if (track === null) return "none";
  const { phase, statistics, objectives, softBreach } = track;
  const parts = objectives.map(({ key, value, met }) =>
    value === null
      ? `${key} unknown`
      : `${key} ${Number(value.toFixed(6))} ${met ? "met" : "missed"}`,
  );
  const drawdown = `drawdown ${Number((statistics?.maxDrawdown ?? 0).toFixed(6))}`;
  return [`${phase}: ${parts.join(", ")}, ${drawdown}`, ...(softBreach ? ["held"] : [])].join(", ");
}

const LIMIT_NAMES: Readonly<Record<LossRule, string>> = {
  dailyLoss: "daily",
  staticLoss: "max",
  endOfDayTrailing: "max",
};

/** A loss limit with the percentage of its anchor that is lost, such as `daily 4.07768`. */
export function limitPhrase({ rule, usedPct }: LimitFigures): string {
  return `${LIMIT_NAMES[rule]} ${Number(usedPct.toFixed(6))}`;
}

/** An accrual: its estimated amount and its start. When there is no estimate, `empty` replaces the amount. */
export function accrualPhrase({ estimate, windowStartMs }: Accrual): string {
  return `${estimate === null ? "empty" : moneyPhrase(estimate)} since ${isoMinute(windowStartMs)}`;
}

/** An amount in dollars with two decimals, or with six when it has more. */
export function moneyPhrase(amount: MicroUsd): string {
  const cents = dollars(amount).toFixed(2);
  return Number(cents) === dollars(amount) ? cents : dollars(amount).toFixed(6);
}
