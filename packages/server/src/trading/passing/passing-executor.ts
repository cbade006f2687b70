import { pause, type Stopwatch, type Timer } from "../../base/clock.ts";
import type { Chance } from "../../base/random.ts";
import type {
  Execution,
  Executor,
  OrderSubmission,
  Submission,
  VersionedState,
} from "../executor-port.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import { NotOwner, type Ownership } from "../ownership.ts";
import { NotCarriedOut } from "../receipts/not-carried-out.ts";
import { receiptOf } from "../receipts/receipt-key.ts";
import type { CommittedAccount, StateCache } from "../state-cache.ts";
import type { OwnCommands } from "./own-commands.ts";
import type { OwnerLine, PassedCommand } from "./owner-line.ts";
import type { PartitionOwners } from "./partition-owners.ts";
import type { PassingEnd, PassingFigures } from "./passing-figures.ts";
import type { PassingResult } from "./passing-message.ts";

export interface PassingExecutorOptions {
  /** The executor of this node's own accounts. */
  readonly local: Executor;
  readonly own: OwnCommands;
  readonly ownership: Pick<Ownership, "leaseOf">;
  /** This node. */
  readonly node: string;
  readonly owners: PartitionOwners;
  readonly line: OwnerLine;
  readonly cache: Pick<StateCache, "put" | "read">;
  readonly clock: Stopwatch;
  readonly timer: Timer;
  readonly chance: Pick<Chance, "uuid">;
  /** A command is given up after so long. */
  readonly timeoutMs: number;
  /** Called with the cause when the leases cannot be read. */
  readonly onFault: (cause: unknown) => void;
}

export interface PassingExecutor extends Executor {
  readonly figures: Pick<PassingFigures, "passed" | "waiting" | "late">;
}

/** A command waits so long for an owner while its partition has none. */
const OWNERLESS_MS = 2_000;
/** How often an owner is looked for meanwhile. */
const LOOK_EVERY_MS = 50;
/** A command is passed again after so long without an answer; each further wait is twice as long. */
const SILENT_MS = 1_000;

/**
 * Passes the commands of accounts that other nodes own to their owners, and gives the others to the local executor.
 *
 * A command is passed again after silence, until its time is over: `OwnCommands` says why that is safe. An order of a
 * key has the receipt of its nonce. Every other command gets an id for its receipt here, before it is first passed.
 * Commands of prices and of the clock are never passed: the new owner makes its own, and quotes must not wait for other
 * nodes.
 * @throws NotOwner when nothing happened, because the partition has no owner that is ready
 * @throws UnknownFate when the owner did not answer in time
 */
export function createPassingExecutor(options: PassingExecutorOptions): PassingExecutor {
  const { local, own, ownership, line, clock } = options;
  const passed = new Map<PassingEnd, number>();
  let waiting = 0;
  const count = (end: PassingEnd): void => void passed.set(end, (passed.get(end) ?? 0) + 1);

  const pass = async (submission: Submission | OrderSubmission): Promise<Execution> => {
    const startedAtMs = clock.nowMs();
    const waitedMs = (): number => clock.nowMs() - startedAtMs;
    const leftMs = (): number => options.timeoutMs - waitedMs();
    const named = withReceipt(options, submission);
    const command = line.begin(named, { waitedMs, leftMs });
    try {
      return await passUntilAnswered({ ...options, count }, named, { command, leftMs });
    } finally {
      command.end();
    }
  };
  const submit: Executor["submit"] = async (submission) => {
    const isOwn = ownership.leaseOf(submission.accountId) !== null;
    const { by } = submission.origin;
    if (by === "market" || by === "clock") {
      if (!isOwn) throw new NotOwner();
      return local.submit(submission);
    }
    if (isOwn) {
      try {
        return await own.carryOut(submission, false);
      } catch (cause) {
        if (!(cause instanceof NotOwner)) throw cause;
      }
    }
    waiting += 1;
    return pass(submission).finally(() => {
      waiting -= 1;
    });
  };
  return {
    submit,
    // Without those that other nodes carry out: a node that gives up a partition waits only for its own work.
    idle: () => local.idle(),
    onCommit: (listener) => local.onCommit(listener),
    onUnknownFate: (listener) => local.onUnknownFate(listener),
    figures: {
      passed,
      get waiting() {
        return waiting;
      },
      get late() {
        return line.late;
      },
    },
  };
}

type Options = PassingExecutorOptions & { readonly count: (end: PassingEnd) => void };

interface Passing {
  readonly command: PassedCommand;
  readonly leftMs: () => number;
}

function withReceipt(
  { chance }: PassingExecutorOptions,
  submission: Submission | OrderSubmission,
): Submission | OrderSubmission {
  return receiptOf(submission) === null ? { ...submission, passedAs: chance.uuid() } : submission;
}

async function passUntilAnswered(
  options: Options,
  submission: Submission | OrderSubmission,
  passing: Passing,
): Promise<Execution> {
  const { owners, clock, timer } = options;
  const { command, leftMs } = passing;
  let ownerlessSinceMs = clock.nowMs();
  let patienceMs = SILENT_MS;
  for (;;) {
    const end = await tryOnce(options, submission, {
      command,
      patienceMs: Math.min(patienceMs, leftMs()),
    });
    if (end !== "silence" && end !== "notOwner") return end;
    if (end === "silence") {
      patienceMs *= 2;
      ownerlessSinceMs = clock.nowMs();
    }
    giveUpInTime(options, passing, clock.nowMs() - ownerlessSinceMs);
    if (end === "notOwner") {
      await pause(timer, LOOK_EVERY_MS);
    }
    await owners.refresh(submission.accountId).catch(options.onFault);
  }
}

/**
 * @throws UnknownFate when the time is over and a passing without an answer may have been carried out
 * @throws NotOwner when there was no owner for too long, and nothing happened
 */
function giveUpInTime({ timeoutMs }: Options, passing: Passing, ownerlessMs: number): void {
  const { command, leftMs } = passing;
  const isOver = leftMs() <= 0;
  if (command.isOpen) {
    if (isOver) throw new UnknownFate(new Silence());
    return;
  }
  if (isOver || ownerlessMs >= Math.min(OWNERLESS_MS, timeoutMs / 2)) {
    throw new NotOwner();
  }
}

/** The owner did not answer; the cause of an unknown fate. */
class Silence extends Error {
  override readonly name = "Silence";

  constructor() {
    super("the owner of the account did not answer in time");
  }
}

/** `notOwner`: nothing happened, because no owner is ready. */
async function tryOnce(
  options: Options,
  submission: Submission | OrderSubmission,
  { command, patienceMs }: { readonly command: PassedCommand; readonly patienceMs: number },
): Promise<Execution | "silence" | "notOwner"> {
  const { accountId } = submission;
  if (options.ownership.leaseOf(accountId) !== null) {
    try {
      return await options.own.carryOut(submission, command.isOpen);
    } catch (cause) {
      if (cause instanceof NotOwner) return "notOwner";
      throw cause;
    }
  }
  const owner = await ownerOf(options, submission);
  if (owner === null || owner === options.node) return "notOwner";
  const result = await command.pass(owner, patienceMs);
  if (result === "unsent") return "notOwner";
  options.count(endOf(result));
  if (result === "silence") return result;
  // An earlier passing may have been carried out, so this failure does not say what happened.
  if (result.is === "fault" && command.isOpen) throw new UnknownFate(new Error(result.reason));
  return executionOf(options, submission, result);
}

/** Null without an owner, and while the leases cannot be read. */
async function ownerOf(
  { owners, onFault }: Options,
  { accountId }: Submission,
): Promise<string | null> {
  try {
    return await owners.ownerOf(accountId);
  } catch (cause) {
    onFault(cause);
    return null;
  }
}

function headOf(rest: Pick<CommittedAccount, "headHash"> | null): Pick<VersionedState, "headHash"> {
  return rest === null ? {} : { headHash: rest.headHash };
}

function endOf(result: PassingResult | "silence"): PassingEnd {
  if (result === "silence") return "silence";
  const { is } = result;
  return is === "done" || is === "refused" || is === "notOwner" ? is : "failed";
}

async function executionOf(
  { cache }: Options,
  { accountId }: Submission,
  result: PassingResult,
): Promise<Execution | "notOwner"> {
  switch (result.is) {
    case "notOwner":
      return "notOwner";
    case "refused":
      return { ok: false, refusal: result.refusal };
    case "notCarriedOut":
      throw new NotCarriedOut();
    case "unknownFate":
      throw new UnknownFate(new Error("the command failed in the account's owner"));
    case "fault":
      throw new Error(`the command failed in the account's owner: ${result.reason}`);
    case "done": {
      const { events, version, order, account: sent } = result;
      if (sent?.rest != null) {
        cache.put({ ...sent.rest, state: sent.state, version, isDecidedHere: false });
      }
      const account =
        sent === null
          ? await cache.read({ accountId, version })
          : { state: sent.state, version, ...headOf(sent.rest) };
      if (account === null) throw new Error("broken invariant: an account that its owner changed");
      return { ok: true, events, account, order };
    }
  }
}
