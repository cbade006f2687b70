/**
 * The prices, positions and orders of one share, computed only from what the specification says about splits and
 * dividends. The model has one price for both sides, no fees, and LIMIT orders that are too far away to fill.
 */

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const LEAD_MS = 10_000;
const STALE_MS = 60_000;
const HALTED_AFTER_MS = 10_000;

export type ModelAction = { readonly index: number; readonly atMs: number } & (
  | { readonly kind: "split"; readonly newShares: number; readonly oldShares: number }
  | { readonly kind: "dividend"; readonly amount: number }
);

export interface ModelPosition {
  readonly sign: 1 | -1;
  readonly shares: number;
  readonly entry: number;
  readonly openedAtMs: number;
}

/** A LIMIT order that never fills, or a trailing stop of the whole position. */
export interface ModelOrder {
  readonly id: string;
  readonly setAtMs: number;
  readonly limit: number | null;
  readonly shares: number;
  readonly trail: { readonly share: number; readonly best: number } | null;
}

export class ModelAccount {
  position: ModelPosition | null = null;
  orders: readonly ModelOrder[] = [];
  /** Realized profit and dividends. */
  gained = 0;
  readonly fillsAtMs: number[] = [];
  /** The number of positions that a stop has closed. */
  stops = 0;

  equityAt(price: number): number {
    const { position } = this;
    const open = position === null ? 0 : position.sign * position.shares * (price - position.entry);
    return 100_000 + this.gained + open;
  }

  open(sign: 1 | -1, shares: number, at: { readonly price: number; readonly nowMs: number }): void {
    this.position = { sign, shares, entry: at.price, openedAtMs: at.nowMs };
    this.fillsAtMs.push(at.nowMs);
  }

  /**
   * Applies a price to the position. Its trailing stop follows the price, and closes the position when the price has
   * moved back from the best price by a share of it.
   */
  applyPrice(price: number, nowMs: number): void {
    const { position } = this;
    if (position === null) return;
    const { sign } = position;
    this.orders = this.orders.map((order) =>
      order.trail === null || sign * price <= sign * order.trail.best
        ? order
        : { ...order, trail: { ...order.trail, best: price } },
    );
    const isReached = this.orders.some(({ trail }) => {
      if (trail === null) return false;
      const stop = Number((trail.best * (1 - sign * trail.share)).toPrecision(12));
      return sign * price <= sign * stop;
    });
    if (!isReached) return;
    this.gained += sign * position.shares * (price - position.entry);
    this.position = null;
    this.stops += 1;
    this.fillsAtMs.push(nowMs);
    this.orders = this.orders.filter(({ trail }) => trail === null);
  }

  applyAction(action: ModelAction): void {
    const { position } = this;
    const isHeld = position !== null && position.openedAtMs < action.atMs;
    if (action.kind === "dividend") {
      if (isHeld) this.gained += position.sign * position.shares * action.amount;
      return;
    }
    const ratio = action.newShares / action.oldShares;
    if (isHeld) {
      const { shares, entry } = position;
      this.position = { ...position, shares: shares * ratio, entry: entry / ratio };
    }
    // A split cancels the orders that were placed or edited at its moment or later.
    this.orders = this.orders
      .filter(({ setAtMs }) => setAtMs < action.atMs)
      .map(({ limit, shares, trail, ...order }) => ({
        ...order,
        limit: limit === null ? null : limit / ratio,
        shares: shares * ratio,
        trail: trail === null ? null : { ...trail, best: trail.best / ratio },
      }));
  }
}

interface Known {
  readonly price: number;
  readonly atMs: number;
}

export class ScalesModel {
  readonly accounts: readonly ModelAccount[];
  readonly accepted: Known[] = [];
  readonly announced: ModelAction[] = [];
  isHalted = false;
  /** The last accepted price, in the present scale. */
  price: number;
  #priceAtMs: number;
  /** The time up to which the price includes splits and dividends. */
  #scaledToMs = 0;
  readonly #applied = new Set<number>();
  #formerSinceMs: number | null = null;
  /** The newest usable price that was rejected, and whether it was of the former scale; null without one. */
  #unused: { readonly isFormer: boolean; readonly atMs: number } | null = null;

  constructor(accounts: number, first: Known) {
    this.accounts = Array.from({ length: accounts }, () => new ModelAccount());
    this.price = first.price;
    this.#priceAtMs = first.atMs;
    this.accepted.push(first);
  }

  /** The earliest due action that was not applied to the accounts yet; null when there is none up to `untilMs`. */
  nextDue(untilMs: number): ModelAction | null {
    const due = this.announced.filter(
      ({ index, atMs }) => atMs <= untilMs && !this.#applied.has(index),
    );
    return due.sort((one, other) => one.atMs - other.atMs)[0] ?? null;
  }

  /** Applies the action to the price and to every account. */
  applyAction(action: ModelAction): void {
    this.#applied.add(action.index);
    this.price =
      action.kind === "split"
        ? (this.price * action.oldShares) / action.newShares
        : this.price - action.amount;
    this.#scaledToMs = action.atMs;
    for (const account of this.accounts) account.applyAction(action);
  }

  /**
   * Whether the price is fresh: the pair is not halted, and the price is neither from before the last action nor too
   * old. An action that is due counts only once it was applied to the accounts, so until then the price can still
   * trigger stops.
   */
  isFresh(nowMs: number): boolean {
    const isAfter = this.#priceAtMs >= this.#scaledToMs;
    return !this.isHalted && isAfter && nowMs - this.#priceAtMs <= STALE_MS;
  }

  /** The factor to the scale from before the newest split of the last day; null when there is none. */
  formerFactor(nowMs: number): number | null {
    const splits = this.announced.filter(
      ({ kind, atMs }) => kind === "split" && atMs <= nowMs && nowMs - atMs < DAY_MS,
    );
    const newest = splits.sort((one, other) => other.atMs - one.atMs)[0];
    return newest?.kind === "split" ? newest.newShares / newest.oldShares : null;
  }

  /** Offers a price, and applies it to every account if it is accepted. Returns whether the service accepts it. */
  offer({ price, atMs }: Known, isFormer: boolean): boolean {
    if (this.isHalted || isFormer) this.#unused = { isFormer, atMs };
    if (this.isHalted) return false;
    if (isFormer) {
      this.#formerSinceMs ??= atMs;
      this.isHalted = atMs - this.#formerSinceMs >= HALTED_AFTER_MS;
      return false;
    }
    this.#formerSinceMs = null;
    this.price = price;
    this.#priceAtMs = atMs;
    this.accepted.push({ price, atMs });
    for (const account of this.accounts) account.applyPrice(price, atMs);
    return true;
  }

  /** Ends a halt when the newest usable price has the new scale. */
  lift(): void {
    const unused = this.#unused;
    const isNewer = unused !== null && unused.atMs >= Math.max(this.#priceAtMs, this.#scaledToMs);
    if (!this.isHalted || !isNewer || unused.isFormer) return;
    this.isHalted = false;
    this.#formerSinceMs = null;
  }

  /** Forgets the prices that were not stored, because another process does not know them. */
  restart(): void {
    this.#formerSinceMs = null;
    this.#unused = null;
  }

  /** Announces an action. Returns the beginning of the service's answer. */
  announce(action: ModelAction, { nowMs, isAgain }: { nowMs: number; isAgain: boolean }): string {
    const leadMs = action.atMs - nowMs;
    const isKnown = this.#priceAtMs >= action.atMs;
    if (leadMs < LEAD_MS && (leadMs > 0 || isKnown)) return "atMs: must be";
    const filled = this.accounts.filter(({ fillsAtMs }) =>
      fillsAtMs.some((atMs) => atMs >= action.atMs),
    );
    if (leadMs <= 0 && filled.length > 0) return `atMs: ${filled.length} account`;
    if (this.announced.some(({ atMs }) => atMs >= action.atMs)) return "atMs: AAPL has";
    const isSecond = this.announced.some(
      ({ kind, atMs }) => kind === "split" && atMs >= action.atMs - WEEK_MS,
    );
    if (action.kind === "split" && isSecond && !isAgain) return "again: must be";
    this.announced.push(action);
    return "announced";
  }
}
