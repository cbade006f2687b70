// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";
import type { EventCause, EventOrder, EventProof } from "./event-parts.ts";

/** A position was closed. The fill that closed it precedes this event. */
export interface PositionClosedEvent<Unsent extends Linked = never> {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "position.closed";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** The position's id. */
    readonly positionUuid: string;
    /** Pair identifier, such as `BTCUSD`. */
    readonly tradePair: string;
    /** Direction of the position. */
    readonly direction: "LONG" | "SHORT";
    /** Total quantity of all fills that opened or added, in the pair's lot unit, without a sign. */
    readonly quantity: number | Unsent;
    /** Average price of all entry fills. */
    readonly averageEntryPrice: number | Unsent;
    /** Average price of all exit fills. */
    readonly averageExitPrice: number | Unsent;
    /** Value of all entry fills, USD. */
    readonly entryValue: number | Unsent;
    /** `entryValue` as a multiple of the balance at the first fill. */
    readonly leverage: number | Unsent;
    /** Realized PnL before fees, USD; negative for a loss. */
    readonly realizedPnl: number | Unsent;
    /** Fees of all fills and holding costs of the position, USD. */
    readonly fees: number | Unsent;
    /** 1 plus the realized PnL before fees divided by the account size: 1.0123 is +1.23 %. */
    readonly returnAtClose: number | Unsent;
    /** Time of the first fill. */
    readonly openTimeMs: number;
    /** Time of the last fill. */
    readonly closeTimeMs: number;
    /** Nearest stop-loss price of the legs when the position closed; null without one. */
    readonly stopLoss: number | null;
    /** Nearest take-profit price of the legs when the position closed; null without one. */
    readonly takeProfit: number | null;
    /**
     * `LIQUIDATED`: closed because the account was eliminated. `CLOSED`: closed for any other
     * reason.
     */
    readonly status: "CLOSED" | "LIQUIDATED";
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A UTC day of the account has ended. */
export interface DayEndedEvent {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "day.ended";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** 00:00 UTC, when the day ended. */
    readonly midnightMs: number;
    /** Equity at the first prices after midnight, USD. */
    readonly equity: number;
    /** Balance when `equity` was measured, USD. */
    readonly balance: number;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** Holding costs or funding were charged on open positions. */
export interface CarryChargedEvent {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "carry.charged";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** One charge for each position. */
    readonly charges: readonly {
      /** The position's id. */
      readonly positionUuid: string;
      /** Value of the position from which the charge was computed, USD. */
      readonly value: number;
      /** Charged amount, USD. Negative when the account received it. */
      readonly fee: number;
      /**
       * Funding rate of the hour as a fraction of the value: 0.0001 is 0.01 %. Null for holding
       * costs other than funding.
       */
      readonly rate: number | null;
    }[];
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A stock split was applied to the account's position and orders. */
export interface SharesSplitEvent {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "shares.split";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** The id of the corporate action. */
    readonly actionId: string;
    /** Pair identifier, such as `BTCUSD`. */
    readonly tradePair: string;
    /** Number of shares after the split that replace `oldShares`. */
    readonly newShares: number;
    /** Number of shares before the split. */
    readonly oldShares: number;
    /** The position after the split; null without a position. */
    readonly position: {
      /** The position's id. */
      readonly positionUuid: string;
      /** Size of the position in the pair's lot unit, without a sign. */
      readonly quantity: number;
      /** Average entry price of the position. */
      readonly averageEntryPrice: number;
    } | null;
    /** The pending orders and legs that the split changed, as they are after it. */
    readonly orders: readonly EventOrder[];
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A dividend was paid or charged on an open position. */
export interface DividendPaidEvent {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "dividend.paid";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** The id of the corporate action. */
    readonly actionId: string;
    /** Pair identifier, such as `BTCUSD`. */
    readonly tradePair: string;
    /** The position's id. */
    readonly positionUuid: string;
    /** Dividend for one share, in the pair's quote currency. */
    readonly amount: number;
    /** USD for one unit of the pair's quote currency. */
    readonly usdRate: number;
    /** Amount that the account received, USD. Negative for a SHORT, which pays the dividend. */
    readonly paid: number;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}
