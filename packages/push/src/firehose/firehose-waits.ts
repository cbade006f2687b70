import type { Timer } from "@propgate/base";
import type { Executor, OnRequestEnd, PerShard } from "@propgate/ledger";
import type { TransactionLines } from "../storage/transaction-lines.ts";

/** One request that waits for a line of any account. */
export interface FirehoseWait {
  /** True when the wait's time has passed or its request is over. */
  readonly isOver: boolean;
  /** Resolves when there may be lines that are new since the previous call, or when the wait is over. */
  waitForLines(): Promise<void>;
  close(): void;
}

/** Lets requests wait for a line of any account. */
export interface FirehoseWaits {
  /** Begins a wait for at most `ms`. Null when the maximum number of requests already wait. */
  open(until: { readonly ms: number; readonly over: OnRequestEnd }): FirehoseWait | null;
}

/** The interval between two searches for new commits of other nodes, each with one statement for each database. */
const POLL_MS = 1_000;
/**
 * After a commit of this node has woken the requests, they are woken again when this time has passed. Commits in the
 * meantime wake no request before that.
 */
const BETWEEN_MS = 100;

/**
 * Makes the waits of requests. A commit of this node wakes them immediately, and once more a moment later: while an
 * older transaction is open, the lines of a newer one cannot be read. Every second the heads of the journals are read
 * to find the commits of other nodes. @rule D9.firehoseWait decides
 */
export function createFirehoseWaits(options: {
  readonly lines: PerShard<Pick<TransactionLines, "head">>;
  readonly executors: PerShard<Pick<Executor, "onCommit">>;
  readonly timer: Timer;
  readonly waitsMax: number;
  readonly onFault: (cause: unknown) => void;
}): FirehoseWaits {
  const { lines, timer, waitsMax, onFault } = options;
  const waiting = new Set<Waiting>();
  let isLooking = false;
  let isPaused = false;
  let hasCommitted = false;
  let known = "";

  const wakeAll = (): void => {
    for (const one of waiting) one.wake();
  };
  const pause = (): void => {
    isPaused = true;
    timer.after(BETWEEN_MS, () => {
      isPaused = false;
      wakeAll();
      if (hasCommitted) pause();
      hasCommitted = false;
    });
  };
  const onCommit = (): void => {
    if (waiting.size === 0) return;
    if (isPaused) {
      hasCommitted = true;
      return;
    }
    wakeAll();
    pause();
  };
  for (const executor of options.executors) executor.onCommit(onCommit);

  const look = async (): Promise<void> => {
    const heads = await Promise.all(lines.map((one) => one.head()));
    const now = heads.map((head) => `${head?.transaction} ${head?.accountId} ${head?.sequence}`);
    if (now.join() === known) return;
    known = now.join();
    wakeAll();
  };
  const loop = (): void => {
    isLooking = waiting.size > 0;
    // While no request waits, the heads are not read. They are forgotten, so that the next read wakes the requests:
    // lines may have been committed meanwhile.
    if (!isLooking) known = "";
    else timer.after(POLL_MS, () => void look().catch(onFault).finally(loop));
  };

  return {
    open({ ms, over }) {
      if (waiting.size >= waitsMax) return null;
      const mine = createWaiting();
      waiting.add(mine);
      if (!isLooking) loop();
      const cancel = timer.after(ms, () => mine.end());
      const forget = over(() => mine.end());
      return {
        get isOver() {
          return mine.isOver;
        },
        waitForLines: () => mine.waitForLines(),
        close() {
          cancel();
          forget();
          waiting.delete(mine);
        },
      };
    },
  };
}

interface Waiting extends Omit<FirehoseWait, "close"> {
  wake(): void;
  end(): void;
}

function createWaiting(): Waiting {
  let hasNews = false;
  let isOver = false;
  let resume: (() => void) | null = null;
  const goOn = (): void => {
    if (resume === null) return;
    hasNews = false;
    resume();
    resume = null;
  };
  return {
    get isOver() {
      return isOver;
    },
    wake() {
      hasNews = true;
      goOn();
    },
    end() {
      isOver = true;
      goOn();
    },
    waitForLines: () =>
      new Promise((resolve) => {
        resume = resolve;
        if (hasNews || isOver) goOn();
      }),
  };
}
