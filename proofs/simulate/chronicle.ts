import { createHash } from "node:crypto";
import type { Quote } from "@propgate/core";
import type { Turn } from "./checker.ts";

/**
 * The history of a run, as lines in the order in which things happened. Runs with equal digests are equal byte for
 * byte.
 */
export interface Chronicle {
  /** Starts the next turn and returns it. */
  next(): Turn;
  readonly turn: Turn;
  /** Adds these parts to the history, as one line of the present turn. */
  note(...parts: readonly (string | number)[]): void;
  /** The SHA-256 of all lines up to this turn, in hex. */
  digest(): string;
}

/** Starts the history of a run. `trace` is called with every line. */
export function createChronicle(trace: ((line: string) => void) | null = null): Chronicle {
  const hash = createHash("sha256");
  let turn: Turn = 0;
  return {
    next() {
      turn += 1;
      return turn;
    },
    get turn() {
      return turn;
    },
    note(...parts) {
      const line = [turn, ...parts].join(" ");
      hash.update(`${line}\n`);
      trace?.(line);
    },
    digest: () => hash.copy().digest("hex"),
  };
}

/** A quote as `pair:bid:ask:atMs`. */
export function quoteText({ pair, bid, ask, atMs }: Quote): string {
  return `${pair}:${bid}:${ask}:${atMs}`;
}
