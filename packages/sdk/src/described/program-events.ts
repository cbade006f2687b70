// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";
import type { EventCause, EventProof } from "./event-parts.ts";

/** The challenge was passed. The funded account starts at its size. */
export interface ChallengePassedEvent<Unsent extends Linked = never> {
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
  readonly type: "challenge.passed";
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
    /** `target`: the profit target was reached. `operator`: the operator decided it. */
    readonly by: "target" | "operator" | Unsent;
    /** Equity after all positions were closed, USD. */
    readonly equity: number | Unsent;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A pro account was offered. The funded account winds down until the pro account starts. */
export interface ProOfferedEvent<Unsent extends Linked = never> {
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
  readonly type: "pro.offered";
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
    /** The account size, USD. */
    readonly size: number | Unsent;
    /** When the pro account starts. */
    readonly transitionEndsAtMs: number | Unsent;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The pro account started at its size. */
export interface ProStartedEvent<Unsent extends Linked = never> {
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
  readonly type: "pro.started";
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
    /** The phase that begins, as `challenge.bucket` of GET account. */
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
    /** The id of the program. */
    readonly programId: string | Unsent;
    /** The version of the program. */
    readonly programVersion: number | Unsent;
    /** The account size, USD. */
    readonly size: number | Unsent;
    /** When the pro account was due to start. */
    readonly startMs: number | Unsent;
    /** Equity of the standard account after all positions were closed, USD. */
    readonly equity: number | Unsent;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The pro account was promoted to funded. Rewards for later profit are paid in full. */
export interface ProPromotedEvent<Unsent extends Linked = never> {
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
  readonly type: "pro.promoted";
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
    /** `objectives`: all objectives are met. `operator`: the operator decided it. */
    readonly by: "objectives" | "operator" | Unsent;
    /** Profit at the promotion, USD. Only profit above it earns rewards. */
    readonly profit: number | Unsent;
    /** When the objectives were met, or the operator decided. */
    readonly promotedMs: number | Unsent;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A day of a funded pro account ended beyond a target, so the reward of its week is held. */
export interface ProSoftBreachedEvent<Unsent extends Linked = never> {
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
  readonly type: "pro.soft_breached";
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
    /** Start of that day. */
    readonly dayStartMs: number | Unsent;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The pro account has a new maximum drawdown. */
export interface DrawdownDeepenedEvent {
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
  readonly type: "drawdown.deepened";
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
    /** Maximum drawdown as a fraction: 0.0125 is 1.25 %. */
    readonly maxDrawdown: number;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The account has used up a recorded level of a loss limit, such as half of the allowed loss. */
export interface LimitNearedEvent {
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
  readonly type: "limit.neared";
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
    /** The loss limit, as `rule` of `drawdownRules.limits`. */
    readonly rule: "dailyLoss" | "static" | "eod_trailing";
    /** The highest level that was reached, in percent of the allowed loss. */
    readonly level: number;
    /**
     * The equity that the limit measures, USD: live equity, or for `eod_trailing` the equity of the
     * last 00:00 UTC.
     */
    readonly equity: number;
    /** The lowest equity that is not a breach, USD. */
    readonly floor: number;
    /** The pair of the open position with the largest loss; null without an open position. */
    readonly tradePair: string | null;
    /**
     * The mark price of that position: the bid for a LONG, the ask for a SHORT; null without an
     * open position.
     */
    readonly price: number | null;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}
