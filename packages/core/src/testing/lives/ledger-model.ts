/**
 * A second implementation of the account's money and positions for tests, as sums over its events: realized PnL and
 * fees since the balance last restarted, and the cost of every position.
 */

import { equityOf } from "../../account/equity.ts";
import type { AccountState } from "../../state/account.ts";
import { balanceOf } from "../../state/balance.ts";
import type { CarryCharged, DividendPaid, OrderFilled, SharesSplit } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import type { Direction } from "../../state/order.ts";
import type { Trade } from "../../state/trade.ts";
import type { AppliedEvent } from "./applied-event.ts";
import { CarryChargeModel } from "./carry-model.ts";
import { expectNear, expectSame, expectThat } from "./expectation.ts";
import { instrumentOf, openPnlOf, roundDollarsToMicro } from "./valuation-model.ts";

interface Held {
  readonly pair: string;
  readonly direction: Direction;
  readonly bought: number;
  readonly sold: number;
  readonly averagePrice: number;
  /** Σ price × quantity of the fills that opened or added. */
  readonly paid: number;
  /** Σ value of the fills that opened or added. */
  readonly cost: number;
  readonly balance: number;
  readonly realized: number;
  readonly fees: number;
}

/** The money and positions of one account, added up from its events. */
export class LedgerModel {
  #size = 0;
  #realized = 0;
  #fees = 0;
  readonly #held = new Map<string, Held>();
  readonly #carry = new CarryChargeModel();
  readonly #closed = { trades: 0, wins: 0, net: 0 };

  get balance(): number {
    return this.#size + this.#realized - this.#fees;
  }

  get size(): number {
    return this.#size;
  }

  /** Balance and open PnL; null while an open position has no price. */
  equity(state: AccountState, moment: Moment): number | null {
    const open = openPnlOf(state.positions, moment);
    return open === null ? null : this.balance + open;
  }

  /** The lower of balance and equity, minus the size; null while the equity is null. */
  profit(state: AccountState, moment: Moment): number | null {
    const equity = this.equity(state, moment);
    return equity === null ? null : Math.min(this.balance, equity) - this.#size;
  }

  take({ event, moment }: Pick<AppliedEvent, "event" | "moment">): void {
    if (event.type === "accountOpened") {
      this.#begin(event.terms.size);
      this.#carry.begin(event.atMs);
    }
    if (event.type === "challengePassed") this.#begin(this.#size);
    if (event.type === "proStarted") this.#begin(event.terms.size);
    if (event.type === "orderFilled") this.#fill(event, moment);
    if (event.type === "positionClosed") this.#close(event.trade);
    if (event.type === "carryCharged") this.#charge(event, moment);
    if (event.type === "dividendPaid") this.#payDividend(event, moment);
    if (event.type === "sharesSplit") this.#split(event);
  }

  /**
   * Compares the account with the model.
   * @throws when balance, equity, record or a position differs from the sums of the events
   */
  check(state: AccountState, moment: Moment): void {
    expectSame(balanceOf(state), this.balance, "the balance");
    const equity = equityOf(state, moment);
    expectSame(equity.ok ? equity.value : null, this.equity(state, moment), "the equity");
    expectSame(state.positions.length, this.#held.size, "the number of open positions");
    const { trades, wins, netPnl } = state.record;
    expectSame(trades, this.#closed.trades, "the closed trades");
    expectSame(wins, this.#closed.wins, "the winning trades");
    expectSame(netPnl, this.#closed.net, "the net PnL of closed trades");
    for (const position of state.positions) {
      const held = this.#heldAs(position.uuid);
      expectSame(position.pair, held.pair, "a position's pair");
      expectSame(position.direction, held.direction, "a position's direction");
      expectSame(position.quantity, held.bought - held.sold, "a position's quantity");
      expectSame(position.openedQuantity, held.bought, "a position's opened quantity");
      expectSame(position.realizedPnl, held.realized, "a position's realized PnL");
      expectSame(position.fees, held.fees, "a position's fees");
      const what = "a position's average entry price";
      expectNear(position.averageEntryPrice, held.averagePrice, {
        within: held.averagePrice * 1e-9,
        what,
      });
    }
  }

  /**
   * Checks that no carry is missing.
   * @throws when carry was due and has not been charged
   */
  checkCarried(moment: Moment): void {
    this.#carry.checkNothingMissed(moment);
  }

  #begin(size: number): void {
    expectSame(this.#held.size, 0, "the open positions when the ledger starts");
    this.#size = size;
    this.#realized = 0;
    this.#fees = 0;
  }

  #fill(fill: OrderFilled, moment: Moment): void {
    this.#realized += fill.realizedPnl;
    this.#fees += fill.fee;
    const instrument = instrumentOf(fill.pair, moment);
    const units = (fill.quantity / 100_000) * instrument.lotSize;
    const what = `of a fill of ${fill.pair}`;
    expectNear(fill.value, roundDollarsToMicro(units * fill.price * fill.usdRate), {
      within: 1,
      what: `value ${what}`,
    });
    const feeRatio = fill.kind === "cashInLieu" ? 0 : instrument.feeRatio;
    expectNear(fill.fee, fill.value * feeRatio, { within: 0.51, what: `fee ${what}` });
    if (fill.effect === "open") {
      expectThat(!this.#held.has(fill.positionUuid), "a position is opened once");
      const balance = this.balance + fill.fee;
      this.#held.set(fill.positionUuid, opened(fill, balance));
      this.#carry.open(fill);
      return;
    }
    const held = this.#heldAs(fill.positionUuid);
    if (fill.effect === "add") {
      this.#held.set(fill.positionUuid, positionAfterAdd(held, fill));
      return;
    }
    expectThat(fill.direction !== held.direction, "a way out goes against its position");
    const sign = held.direction === "long" ? 1 : -1;
    const earned = sign * (fill.price - held.averagePrice) * units * fill.usdRate * 1_000_000;
    const within = 1 + Math.abs(fill.value) * 1e-8;
    expectNear(fill.realizedPnl, earned, { within, what: `realized PnL ${what}` });
    const sold = held.sold + fill.quantity;
    expectThat(sold <= held.bought, "a fill closes at most the open quantity");
    expectSame(sold === held.bought, fill.effect === "close", "whether a fill closes the position");
    this.#held.set(fill.positionUuid, {
      ...held,
      sold,
      realized: held.realized + fill.realizedPnl,
      fees: held.fees + fill.fee,
    });
  }

  #close(trade: Trade): void {
    const held = this.#heldAs(trade.id);
    expectSame(held.sold, held.bought, "the closed quantity of a closed position");
    expectSame(trade.quantity, held.bought, "a trade's quantity");
    expectNear(trade.averageEntryPrice, held.paid / held.bought, {
      within: trade.averageEntryPrice * 1e-9,
      what: "a trade's average entry price",
    });
    expectSame(trade.realizedPnl, held.realized, "a trade's realized PnL");
    expectSame(trade.fees, held.fees, "a trade's fees");
    expectNear(trade.leverage, held.cost / held.balance, {
      within: 1e-9,
      what: "a trade's leverage",
    });
    this.#held.delete(trade.id);
    this.#carry.close(trade.id);
    const net = held.realized - held.fees;
    this.#closed.trades += 1;
    this.#closed.wins += net > 0 ? 1 : 0;
    this.#closed.net += net;
  }

  #charge(event: CarryCharged, moment: Moment): void {
    this.#carry.charge(event, moment);
    for (const { positionUuid, fee } of event.charges) {
      const held = this.#heldAs(positionUuid);
      this.#fees += fee;
      this.#held.set(positionUuid, { ...held, fees: held.fees + fee });
    }
  }

  /** Checks a dividend and applies it: a long receives the amount for each share, a short pays it. */
  #payDividend({ positionUuid, amount, usdRate, paid, pair }: DividendPaid, moment: Moment): void {
    const held = this.#heldAs(positionUuid);
    const shares = ((held.bought - held.sold) / 100_000) * instrumentOf(pair, moment).lotSize;
    const sign = held.direction === "long" ? 1 : -1;
    expectNear(paid, sign * shares * amount * usdRate * 1_000_000, {
      within: 1,
      what: "a dividend",
    });
    this.#fees -= paid;
    this.#held.set(positionUuid, { ...held, fees: held.fees - paid });
  }

  /** Checks a split and applies it: the open quantity is replaced exactly, and the cost stays. */
  #split({ position, newShares, oldShares }: SharesSplit): void {
    if (position === null) return;
    const held = this.#heldAs(position.uuid);
    const open = ((held.bought - held.sold) * newShares) / oldShares;
    expectSame(position.quantity, open, "the shares after a split");
    const sold = Math.round((held.sold * newShares) / oldShares);
    const averagePrice = (held.averagePrice * oldShares) / newShares;
    const bought = open + sold;
    const paid = ((held.paid / held.bought) * bought * oldShares) / newShares;
    this.#held.set(position.uuid, { ...held, bought, sold, averagePrice, paid });
  }

  #heldAs(uuid: string): Held {
    const held = this.#held.get(uuid);
    if (held === undefined) throw new Error(`no open position ${uuid}`);
    return held;
  }
}

function opened(fill: OrderFilled, balance: number): Held {
  return {
    pair: fill.pair,
    direction: fill.direction,
    bought: fill.quantity,
    sold: 0,
    averagePrice: fill.price,
    paid: fill.price * fill.quantity,
    cost: fill.value,
    balance,
    realized: 0,
    fees: fill.fee,
  };
}

/**
 * The position after a fill that adds. Earlier reductions removed quantity at the average price of that time, so the
 * average price covers only the open quantity.
 */
function positionAfterAdd(held: Held, fill: OrderFilled): Held {
  expectSame(fill.direction, held.direction, "the direction of an add");
  expectSame(fill.realizedPnl, 0, "the realized PnL of an add");
  const open = held.bought - held.sold;
  const cost = held.averagePrice * open + fill.price * fill.quantity;
  return {
    ...held,
    bought: held.bought + fill.quantity,
    averagePrice: cost / (open + fill.quantity),
    paid: held.paid + fill.price * fill.quantity,
    cost: held.cost + fill.value,
    fees: held.fees + fill.fee,
  };
}
