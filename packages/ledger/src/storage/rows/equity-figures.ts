import type { LimitFigures, MicroUsd, UnixMs } from "@propgate/core";

/** The lowest equity that is not a breach of the rule's limit. */
export type LimitFloor = Pick<LimitFigures, "rule" | "floor">;

/** The value of an account at one moment, and the floors of its limits. */
export interface EquityFigures {
  readonly atMs: UnixMs;
  readonly equity: MicroUsd;
  readonly balance: MicroUsd;
  /** The floors, in the order in which the limits take precedence; empty when no limit binds the account. */
  readonly floors: readonly LimitFloor[];
}
