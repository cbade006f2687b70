// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";
import type { EventCause, EventOrder, EventProof } from "./event-parts.ts";

/** A position is closed. Follows the fill that closed it. */
export interface PositionClosedEvent<Unsent extends Linked = never> {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "position.closed";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
  readonly data: {
    /** The position's id. */
    readonly positionUuid: string;
    /** Pair identifier, `BTCUSD`. */
    readonly tradePair: string;
    /** Direction of its first fill. */
    readonly direction: "LONG" | "SHORT";
    /** All opened quantity in the pair's lot unit. */
    readonly quantity: number | Unsent;
    /** Average over its entries. */
    readonly averageEntryPrice: number | Unsent;
    /** Average over its exits. */
    readonly averageExitPrice: number | Unsent;
    /** Value of all its entries, USD. */
    readonly entryValue: number | Unsent;
    /** `entryValue` as a multiple of the balance at its first fill. */
    readonly leverage: number | Unsent;
    /** Before fees, USD. */
    readonly realizedPnl: number | Unsent;
    /** Fees of all its fills, carry included, USD. */
    readonly fees: number | Unsent;
    /** Multiplier on the account size: 1.0123 is +1.23 %. */
    readonly returnAtClose: number | Unsent;
    /** Time of the first fill. */
    readonly openTimeMs: number;
    /** Time of the last fill. */
    readonly closeTimeMs: number;
    /** Stop of its legs when it closed; null without one. */
    readonly stopLoss: number | null;
    /** Target of its legs when it closed; null without one. */
    readonly takeProfit: number | null;
    /** `LIQUIDATED`: closed by the elimination of the account. */
    readonly status: "CLOSED" | "LIQUIDATED";
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A UTC day is over. */
export interface DayEndedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "day.ended";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
  readonly data: {
    /** 00:00 UTC, when the day ended. */
    readonly midnightMs: number;
    /** Equity at the first prices after midnight, USD. */
    readonly equity: number;
    /** Balance at that time, USD. */
    readonly balance: number;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** Carry or funding was charged on open positions. */
export interface CarryChargedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "carry.charged";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
  readonly data: {
    /** One for each position. */
    readonly charges: readonly {
      /** The position's id. */
      readonly positionUuid: string;
      /** Value of the position, USD. */
      readonly value: number;
      /** Charged amount, USD; negative when it was received. */
      readonly fee: number;
      /**
       * The rate of the hour, for funding, as a share of the value: 0.0001 is 0.01 %; null for
       * carry.
       */
      readonly rate: number | null;
    }[];
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A split was carried out on what the account held. */
export interface SharesSplitEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "shares.split";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
  readonly data: {
    /** The id of the corporate action. */
    readonly actionId: string;
    /** Pair identifier, `BTCUSD`. */
    readonly tradePair: string;
    /** Shares after the split, for `oldShares` before it. */
    readonly newShares: number;
    /** Shares before the split. */
    readonly oldShares: number;
    /** The position after the split; null without a position. */
    readonly position: {
      /** The position's id. */
      readonly positionUuid: string;
      /** In the pair's lot unit. */
      readonly quantity: number;
      /** Average over its entries. */
      readonly averageEntryPrice: number;
    } | null;
    /** The pending orders and legs that changed, after the split. */
    readonly orders: readonly EventOrder[];
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A dividend on an open position. */
export interface DividendPaidEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "dividend.paid";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
  readonly data: {
    /** The id of the corporate action. */
    readonly actionId: string;
    /** Pair identifier, `BTCUSD`. */
    readonly tradePair: string;
    /** The position's id. */
    readonly positionUuid: string;
    /** For one share, in the pair's quote currency. */
    readonly amount: number;
    /** USD for one unit of the quote currency. */
    readonly usdRate: number;
    /** Received amount, USD; negative for a SHORT, which pays it. */
    readonly paid: number;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}
