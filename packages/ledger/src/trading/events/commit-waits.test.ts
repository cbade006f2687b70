import { accountId } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { createManualTime } from "../../../../server/src/testing/manual-time.ts";
import type { CommitListener, VersionedState } from "../executor-port.ts";
import {
  type CommitWait,
  type CommitWaits,
  createCommitWaits,
  type OnRequestEnd,
} from "./commit-waits.ts";

const ACCOUNT = accountId("a1");
const STAYS: { readonly ms: number; readonly over: OnRequestEnd } = {
  ms: 25_000,
  over: () => () => undefined,
};

interface Setup {
  readonly waits: CommitWaits;
  readonly pass: (ms: number) => Promise<void>;
  /** The versions that the database has. */
  readonly stored: Map<string, number>;
  readonly statements: () => number;
  readonly commit: (version: number) => void;
  readonly setAway: (away: boolean) => void;
}

function setup(): Setup {
  const time = createManualTime(0);
  const listeners: CommitListener[] = [];
  const stored = new Map<string, number>([[ACCOUNT, 1]]);
  let statements = 0;
  let isUnavailable = false;
  const waits = createCommitWaits({
    executor: { onCommit: (listener) => void listeners.push(listener) },
    accounts: {
      async versions(ids) {
        statements += 1;
        if (isUnavailable) throw new Error("away");
        return ids.map((id) => ({
          accountId: id,
          network: "embedded",
          version: stored.get(id) ?? 0,
        }));
      },
    },
    timer: time.timer,
    waitsMax: 2,
    onFault: (cause) => {
      if (!isUnavailable) throw cause;
    },
  });
  return {
    waits,
    setAway(away) {
      isUnavailable = away;
    },
    stored,
    pass: (ms) => time.pass(ms),
    statements: () => statements,
    commit(version) {
      const state = { accountId: ACCOUNT } as VersionedState["state"];
      for (const listener of listeners) listener([{ state, version }]);
    },
  };
}

function opened(waits: CommitWaits, until = STAYS): CommitWait {
  const wait = waits.open(ACCOUNT, until);
  if (wait === null) throw new Error("the account has room for another wait");
  return wait;
}

/** True when the promise is already settled. */
async function isDone(promise: Promise<void>): Promise<boolean> {
  const pending = Symbol();
  const nothing = new Promise<symbol>((resolve) => setImmediate(() => resolve(pending)));
  return (await Promise.race([promise, nothing])) !== pending;
}

describe("waiting for a commit [D9.wait]", () => {
  test("a commit of this process wakes the wait immediately, an older version does not", async () => {
    const { waits, commit } = setup();
    const wait = opened(waits);
    const woken = wait.newerThan(5);
    commit(5);
    expect(await isDone(woken)).toBe(false);
    commit(6);
    await woken;
    expect(wait.isOver).toBe(false);
  });

  test("a version below the place wakes the wait once, because the journal has lost lines", async () => {
    const { waits, stored, pass } = setup();
    const wait = opened(waits);
    const woken = wait.newerThan(6);
    stored.set(ACCOUNT, 6);
    await pass(1_000);
    expect(await isDone(woken)).toBe(false);
    stored.set(ACCOUNT, 5);
    await pass(1_000);
    await woken;
    expect(await isDone(wait.newerThan(6))).toBe(false);
  });

  test("a wait is woken once after looks at the database that failed, because it may be another database", async () => {
    const { waits, pass, setAway } = setup();
    const woken = opened(waits).newerThan(1);
    setAway(true);
    await pass(2_000);
    expect(await isDone(woken)).toBe(false);
    setAway(false);
    await pass(1_000);
    await woken;
  });

  test("a commit between the opening and the wait is not missed", async () => {
    const { waits, commit } = setup();
    const wait = opened(waits);
    commit(2);
    await wait.newerThan(1);
  });

  test("a commit of another node is found by one statement a second for all waits", async () => {
    const { waits, pass, stored, statements } = setup();
    const one = opened(waits).newerThan(1);
    const other = opened(waits).newerThan(1);
    await pass(1_000);
    expect([await isDone(one), await isDone(other), statements()]).toEqual([false, false, 1]);
    stored.set(ACCOUNT, 3);
    await pass(1_000);
    await Promise.all([one, other]);
    expect(statements()).toBe(2);
  });

  test("no statement is sent while no request waits", async () => {
    const { waits, pass, statements } = setup();
    opened(waits).close();
    await pass(1_000);
    await pass(1_000);
    expect(statements()).toBe(0);
  });

  test("a wait ends after its time, and when its request is over", async () => {
    const { waits, pass } = setup();
    const late = opened(waits, { ms: 2_000, over: STAYS.over });
    const woken = late.newerThan(1);
    await pass(2_000);
    await woken;
    expect(late.isOver).toBe(true);
    late.close();
    const over: (() => void)[] = [];
    const left = opened(waits, {
      ms: 25_000,
      over: (listener) => {
        over.push(listener);
        return () => undefined;
      },
    });
    const ended = left.newerThan(1);
    over[0]?.();
    await ended;
    expect(left.isOver).toBe(true);
  });

  test("an account has a maximum of waits, and a closed one makes room", () => {
    const { waits } = setup();
    const first = opened(waits);
    opened(waits);
    expect(waits.open(ACCOUNT, STAYS)).toBeNull();
    first.close();
    expect(waits.open(ACCOUNT, STAYS)).not.toBeNull();
  });

  test("a follower hears of each commit until it leaves, and takes no wait of the account [D9.stream]", async () => {
    const { waits, commit } = setup();
    const heard: number[] = [];
    const leave = waits.follow(ACCOUNT, (version) => heard.push(version));
    const [one, other] = [opened(waits), opened(waits)];
    commit(2);
    commit(3);
    leave();
    commit(4);
    expect(heard).toEqual([2, 3]);
    one.close();
    other.close();
  });
});
