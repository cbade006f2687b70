// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";
import type { EventCause, EventProof } from "./event-parts.ts";

/** The challenge is passed: the funded account starts at its size. */
export interface ChallengePassedEvent<Unsent extends Linked = never> {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "challenge.passed";
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
    /** `target`: reached it. `operator`: decided it. */
    readonly by: "target" | "operator" | Unsent;
    /** Equity after everything was closed, USD. */
    readonly equity: number | Unsent;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A pro account is offered; the funded account winds down for it. */
export interface ProOfferedEvent<Unsent extends Linked = never> {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "pro.offered";
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
    /** Account size, USD. */
    readonly size: number | Unsent;
    /** When the pro account starts. */
    readonly transitionEndsAtMs: number | Unsent;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The pro account starts at its size. */
export interface ProStartedEvent<Unsent extends Linked = never> {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "pro.started";
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
    /** The phase that begins, as `bucket` of GET account. */
    readonly bucket:
      | "SUBACCOUNT_CHALLENGE"
      | "SUBACCOUNT_FUNDED"
      | "SUBACCOUNT_ALPHA"
      | "PRO_CHALLENGE_TRANSITION"
      | "PRO_CHALLENGE_FROM_STANDARD"
      | "PRO_CHALLENGE_DIRECT"
      | "PRO_FUNDED"
      | "ELIMINATED"
      | "unknown";
    /** The program's id. */
    readonly programId: string | Unsent;
    /** The version of the program that the account keeps. */
    readonly programVersion: number | Unsent;
    /** Account size, USD. */
    readonly size: number | Unsent;
    /** When it was due to start. */
    readonly startMs: number | Unsent;
    /** Equity after everything was closed, USD. */
    readonly equity: number | Unsent;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The pro account is funded: later profit is paid in full. */
export interface ProPromotedEvent<Unsent extends Linked = never> {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "pro.promoted";
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
    /** `objectives`: all are met. `operator`: decided it. */
    readonly by: "objectives" | "operator" | Unsent;
    /** Profit at that time, USD; only profit above it earns. */
    readonly profit: number | Unsent;
    /** When the objectives were met, or the operator decided. */
    readonly promotedMs: number | Unsent;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A day of a funded pro account ended beyond a target; its week is withheld. */
export interface ProSoftBreachedEvent<Unsent extends Linked = never> {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "pro.soft_breached";
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
    /** Start of the day. */
    readonly dayStartMs: number | Unsent;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The pro account has a new maximum drawdown. */
export interface DrawdownDeepenedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "drawdown.deepened";
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
    /** As a share of one: 0.0125 is 1.25 %. */
    readonly maxDrawdown: number;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The account has used up a level of a loss limit, such as half of the allowed loss. */
export interface LimitNearedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "limit.neared";
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
    /** The limit: `rule` as in `drawdownRules.limits`. */
    readonly rule: "dailyLoss" | "static" | "eod_trailing";
    /** Percent of the allowed loss; the highest level that was reached. */
    readonly level: number;
    /**
     * The equity that the limit measures, USD: live equity, or for `eod_trailing` that of the last
     * 00:00 UTC.
     */
    readonly equity: number;
    /** The lowest equity that is no breach, USD. */
    readonly floor: number;
    /** The pair of the open position that loses most; null without one. */
    readonly tradePair: string | null;
    /** Its price: the bid for a LONG, the ask for a SHORT; null without one. */
    readonly price: number | null;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}
