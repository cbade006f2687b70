import { describe, expect, test } from "vitest";
import { DatabaseAway } from "../../storage/databases/database-error.ts";
import { type Attempt, carryOutSafely } from "./batch-attempts.ts";

const withCode = (code: string): Error => Object.assign(new Error(code), { code });

/** The attempts of a batch, and how each ended. */
async function attempts(
  ends: readonly { readonly cause: Error; readonly inCommit?: boolean }[],
): Promise<{ readonly leftOut: readonly boolean[]; readonly end: unknown }> {
  const leftOut: boolean[] = [];
  const end = await carryOutSafely(async (attempt: Attempt) => {
    const failure = ends[leftOut.length];
    leftOut.push(attempt.skipsHeld);
    attempt.reachesCommit = failure === undefined || failure.inCommit === true;
    if (failure !== undefined) throw failure.cause;
    return "done";
  }).catch((cause: unknown) => (cause instanceof Error ? cause.name : cause));
  return { leftOut, end };
}

describe("a batch of commands", () => {
  test("a batch of commands is retried once when the server ended it because this process was paused", async () => {
    const ended = { cause: withCode("25P03") };
    expect(await attempts([ended])).toEqual({ leftOut: [false, false], end: "done" });
    expect(await attempts([ended, ended])).toMatchObject({ end: "UnknownFate" });
  });

  test("a batch of commands is retried when the connection broke before the commit, not when it broke in the commit", async () => {
    const cause = new DatabaseAway("Connection terminated unexpectedly");
    expect(await attempts([{ cause }])).toEqual({ leftOut: [false, false], end: "done" });
    const inCommit = [{ cause, inCommit: true }];
    expect(await attempts(inCommit)).toEqual({ leftOut: [false], end: "UnknownFate" });
  });

  test("a batch of commands continues without held accounts after a lock timeout, and may still be retried", async () => {
    const held = { cause: withCode("55P03") };
    const lost = { cause: withCode("40P01"), inCommit: true };
    expect(await attempts([held])).toEqual({ leftOut: [false, true], end: "done" });
    expect(await attempts([held, lost])).toEqual({ leftOut: [false, true, true], end: "done" });
  });

  test("a batch of commands is not retried when the database rejects its statement", async () => {
    const refused = { cause: withCode("42P01") };
    expect(await attempts([refused])).toEqual({ leftOut: [false], end: "UnknownFate" });
  });
});
