// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";
import type { EventCause, EventPayout, EventProof } from "./event-parts.ts";

/** The account was opened on a program. */
export interface AccountOpenedEvent<Unsent extends Linked = never> {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "account.opened";
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
    /** The program's id. */
    readonly programId: string | Unsent;
    /** The version of the program that the account keeps. */
    readonly programVersion: number | Unsent;
    /** The kind of program. */
    readonly variant: "classic" | "pro" | Unsent;
    /** The markets of the account. */
    readonly assetClass:
      | "crypto"
      | "forex"
      | "indices"
      | "equities"
      | "commodities"
      | "all_markets"
      | "hl_all";
    /** Account size, USD. */
    readonly size: number;
    /** The kind of its second loss limit. */
    readonly drawdownCriteria: "trailing" | "static" | "pro" | Unsent;
    /** True when it may trade from the start. */
    readonly provisioned: boolean;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The account may trade. */
export interface AccountProvisionedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "account.provisioned";
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
    /** Its status from now on. */
    readonly status: "active";
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The account is eliminated. Follows the fills and cancellations that ended it. */
export interface AccountEliminatedEvent<Unsent extends Linked = never> {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "account.eliminated";
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
    /** A reason code as in GET account, or the operator's own text. */
    readonly reason: string | Unsent;
    /** Percent of the breached limit's anchor that was lost; null when no limit was breached. */
    readonly drawdownPct: number | null;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The account was closed by the operator. */
export interface AccountClosedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "account.closed";
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
    /** Its status from now on. */
    readonly status: "closed";
    /** Reward of the cycle in progress that the operator dropped, USD. */
    readonly forfeited?: number;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A payout cycle is closed. */
export interface PayoutCycleClosedEvent<Unsent extends Linked = never> {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "payout.cycle_closed";
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
    /** Start of the cycle. */
    readonly periodStartMs: number;
    /** End of the cycle. */
    readonly periodEndMs: number;
    /** Realized less fees, less open losses, since earning began, USD. */
    readonly profit: number | Unsent;
    /** The part of `profit` above the mark of earlier cycles, USD. */
    readonly gross: number | Unsent;
    /** The trader's share of `gross`, USD. */
    readonly share: number | Unsent;
    /** Withheld in earlier weeks and paid with this one, USD. */
    readonly released: number | Unsent;
    /** True when the share is withheld. */
    readonly isHeld: boolean | Unsent;
    /** A payout after the event. */
    readonly payout: EventPayout<Unsent> | null;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The operator recorded the state of a payment. */
export interface PayoutUpdatedEvent<Unsent extends Linked = never> {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "payout.updated";
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
    /** A payout after the event. */
    readonly payout: EventPayout<Unsent>;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The account left the pro track with withheld rewards, which are lost. */
export interface PayoutForfeitedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "payout.forfeited";
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
    /** USD. */
    readonly amount: number;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The dead man's switch was armed, or armed again with a new deadline. */
export interface SwitchArmedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "switch.armed";
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
    /** It fires at this time unless it is armed again or ended. */
    readonly deadlineMs: number;
    /** `cancel`: cancels all orders and legs. `flatten`: also closes all positions. */
    readonly action: "cancel" | "flatten";
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/**
 * An operator paused the keys that could renew the switch. It is armed again, with its whole span,
 * when they are resumed.
 */
export interface SwitchSuspendedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "switch.suspended";
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
    /** `cancel`: cancels all orders and legs. `flatten`: also closes all positions. */
    readonly action: "cancel" | "flatten";
    /** How long it then runs, in milliseconds. */
    readonly spanMs: number;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The switch was ended. Positions that an earlier one still had to close stay open. */
export interface SwitchEndedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "switch.ended";
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
    /** Its status from now on. */
    readonly status: "ended";
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The deadline has passed. Precedes the cancellations and fills that it causes. */
export interface SwitchFiredEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "switch.fired";
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
    /** The deadline. */
    readonly deadlineMs: number;
    /** `cancel`: cancels all orders and legs. `flatten`: also closes all positions. */
    readonly action: "cancel" | "flatten";
    /**
     * Positions whose market is closed or has no fresh quote: each closes at its first fresh quote.
     * Empty with `cancel`.
     */
    readonly waiting: readonly {
      /** The position's id. */
      readonly positionUuid: string;
      /** Pair identifier, `BTCUSD`. */
      readonly tradePair: string;
    }[];
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}
