// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";
import type { EventCause, EventPayout, EventProof } from "./event-parts.ts";

/** The account was opened on a program. For an account at a validator: it was linked. */
export interface AccountOpenedEvent<Unsent extends Linked = never> {
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
  readonly type: "account.opened";
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
    /** The id of the program. */
    readonly programId: string | Unsent;
    /** The version of the program. */
    readonly programVersion: number | Unsent;
    /** The kind of the program. */
    readonly variant: "classic" | "pro" | Unsent;
    /** The markets that the account may trade. */
    readonly assetClass:
      | "crypto"
      | "forex"
      | "indices"
      | "equities"
      | "commodities"
      | "all_markets"
      | "hl_all";
    /** The account size, USD. */
    readonly size: number;
    /** How the maximum loss is measured: from the starting balance, or from a high-water mark. */
    readonly drawdownCriteria: "trailing" | "static" | "pro" | Unsent;
    /** True when the account may trade from its opening on. */
    readonly provisioned: boolean;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The account may trade from now on. */
export interface AccountProvisionedEvent {
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
  readonly type: "account.provisioned";
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
    /** The status of the account from this event on. */
    readonly status: "active";
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/**
 * The account was eliminated. The fills and cancellations that its end caused precede this event.
 */
export interface AccountEliminatedEvent<Unsent extends Linked = never> {
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
  readonly type: "account.eliminated";
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
    /** A reason code as in `elimination.reason` of GET account, or the operator's own text. */
    readonly reason: string | Unsent;
    /**
     * Share of the breached limit's anchor that was lost, in percent; null when no limit was
     * breached.
     */
    readonly drawdownPct: number | null;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The account was closed by the operator. */
export interface AccountClosedEvent {
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
  readonly type: "account.closed";
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
    /** The status of the account from this event on. */
    readonly status: "closed";
    /**
     * The trader's share of the cycle in progress that was forfeited, USD; absent when none was.
     */
    readonly forfeited?: number;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A payout cycle was closed. */
export interface PayoutCycleClosedEvent<Unsent extends Linked = never> {
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
  readonly type: "payout.cycle_closed";
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
    /** Start of the cycle. */
    readonly periodStartMs: number;
    /** End of the cycle. */
    readonly periodEndMs: number;
    /**
     * Profit at the end of the cycle, USD: the lesser of balance and equity, minus the account
     * size. Negative for a loss.
     */
    readonly profit: number | Unsent;
    /** The part of `profit` above the highest profit of any earlier cycle, USD, at least 0. */
    readonly gross: number | Unsent;
    /** The trader's share of `gross` after the profit split, USD. */
    readonly share: number | Unsent;
    /** Shares that were held in earlier weeks and are paid with this cycle, USD. */
    readonly released: number | Unsent;
    /** True when the share of this cycle is held and not paid now. */
    readonly isHeld: boolean | Unsent;
    /** A payout, as it is after the event. */
    readonly payout: EventPayout<Unsent> | null;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The operator recorded the status of a payment. */
export interface PayoutUpdatedEvent<Unsent extends Linked = never> {
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
  readonly type: "payout.updated";
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
    /** A payout, as it is after the event. */
    readonly payout: EventPayout<Unsent>;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The account was eliminated or closed while rewards were held. They are forfeited. */
export interface PayoutForfeitedEvent {
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
  readonly type: "payout.forfeited";
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
    /** The forfeited amount, USD. */
    readonly amount: number;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The dead man's switch was armed, or armed again with a new deadline. */
export interface SwitchArmedEvent {
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
  readonly type: "switch.armed";
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
    /** The deadline. The switch fires at this time unless it is armed again or ended before. */
    readonly deadlineMs: number;
    /**
     * `cancel`: cancels all pending orders and legs. `flatten`: cancels them and closes all
     * positions.
     */
    readonly action: "cancel" | "flatten";
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/**
 * The switch was suspended, because an operator paused the API keys that could renew it. When the
 * keys are resumed, the switch is armed again for `spanMs`.
 */
export interface SwitchSuspendedEvent {
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
  readonly type: "switch.suspended";
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
    /**
     * `cancel`: cancels all pending orders and legs. `flatten`: cancels them and closes all
     * positions.
     */
    readonly action: "cancel" | "flatten";
    /** The time from its next arming to the new deadline, in milliseconds. */
    readonly spanMs: number;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/**
 * The switch was ended by a request. Positions that an earlier firing could not close yet stay
 * open.
 */
export interface SwitchEndedEvent {
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
  readonly type: "switch.ended";
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
    /** The status of the switch from this event on. */
    readonly status: "ended";
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/**
 * The deadline has passed and the switch fired. The cancellations and fills that it causes follow
 * this event.
 */
export interface SwitchFiredEvent {
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
  readonly type: "switch.fired";
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
    /** The deadline that passed. */
    readonly deadlineMs: number;
    /**
     * `cancel`: cancels all pending orders and legs. `flatten`: cancels them and closes all
     * positions.
     */
    readonly action: "cancel" | "flatten";
    /**
     * Positions whose market was closed or had no fresh quote. Each one closes at its first fresh
     * quote. Always empty with the action `cancel`.
     */
    readonly waiting: readonly {
      /** The position's id. */
      readonly positionUuid: string;
      /** Pair identifier, such as `BTCUSD`. */
      readonly tradePair: string;
    }[];
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}
