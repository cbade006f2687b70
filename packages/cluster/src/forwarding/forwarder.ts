import type { Chance, Stopwatch } from "@propgate/base";
import {
  type CommandForwarder,
  type CommandOutcome,
  type ForwardCache,
  type ForwardedCommand,
  NotCarriedOut,
  NotOwner,
  NotWritten,
  OUTCOMES,
  receiptIdOf,
  type Submission,
  UnknownFate,
  type VersionedState,
} from "@propgate/ledger";
import type { ForwardResult } from "./forward-message.ts";
import type { ForwardEnd, ForwardingFigures } from "./forwarding-figures.ts";
import type { OwnerClient } from "./owner-client.ts";
import type { PartitionDirectory } from "./partition-directory.ts";

export interface ForwarderOptions {
  /** The id of this node. */
  readonly node: string;
  readonly owners: PartitionDirectory;
  readonly ownerClient: OwnerClient;
  readonly clock: Stopwatch;
  readonly chance: Pick<Chance, "uuid">;
  /** Time after which a command is given up. */
  readonly timeoutMs: number;
  /** Called with the cause when the leases cannot be read. */
  readonly onFault: (cause: unknown) => void;
}

/**
 * Forwards commands to the nodes that own their accounts.
 *
 * Forwarding a command twice is safe, because it has one receipt, which is committed with its events:
 * - While the owner still carries out the first message, the second message gets the result of the first.
 * - When the first was committed, by the owner or another node, the second is answered from the receipt. A batch that
 *   decides the command again cannot write a second receipt, so no part of that batch is written.
 * - A former owner that still has the first message cannot write it: the fence compares the epochs of its leases.
 *
 * The nonce of a key's order finds its receipt. Every other command gets an id for its receipt before it is first
 * forwarded. Commands of prices and of the clock are never forwarded: the new owner makes its own, and quotes must not
 * wait for other nodes.
 */
export interface Forwarder extends CommandForwarder {
  readonly figures: Pick<ForwardingFigures, "forwarded" | "waiting" | "lateAnswers">;
}

export function createForwarder(options: ForwarderOptions): Forwarder {
  const { ownerClient } = options;
  const forwarded = new Map<ForwardEnd, number>();
  let waiting = 0;
  return {
    begin(submission, cache) {
      waiting += 1;
      return createForwardedCommand(
        {
          ...options,
          cache,
          onSent: (end) => void forwarded.set(end, (forwarded.get(end) ?? 0) + 1),
          onEnd: () => {
            waiting -= 1;
          },
        },
        withReceipt(options, submission),
      );
    },
    figures: {
      forwarded,
      get waiting() {
        return waiting;
      },
      get lateAnswers() {
        return ownerClient.lateAnswers;
      },
    },
  };
}

function withReceipt({ chance }: ForwarderOptions, submission: Submission): Submission {
  return receiptIdOf(submission) === null
    ? { ...submission, commandId: chance.uuid() }
    : submission;
}

interface CommandOptions extends ForwarderOptions {
  readonly cache: ForwardCache;
  readonly onSent: (end: ForwardEnd) => void;
  readonly onEnd: () => void;
}

function createForwardedCommand(options: CommandOptions, submission: Submission): ForwardedCommand {
  const { clock, owners, onFault } = options;
  const { accountId } = submission;
  const { limitMs } = OUTCOMES.ownerUnknown;
  const { answerTimeoutMs: firstTimeoutMs } = OUTCOMES.noAnswer;
  const startedAtMs = clock.nowMs();
  const waitedMs = (): number => clock.nowMs() - startedAtMs;
  const leftMs = (): number => options.timeoutMs - waitedMs();
  const sent = options.ownerClient.begin(submission, { waitedMs, leftMs });
  let ownerlessSinceMs = startedAtMs;
  let answerTimeoutMs: number = firstTimeoutMs;
  let isFirst = true;

  /** The id of the node that owns the account; null when there is none, or when the leases cannot be read. */
  const owner = async (): Promise<string | null> => {
    try {
      if (!isFirst) await owners.refresh(accountId);
      return await owners.ownerOf(accountId);
    } catch (cause) {
      onFault(cause);
      return null;
    } finally {
      isFirst = false;
    }
  };
  return {
    submission,
    get isOpen() {
      return sent.isOpen;
    },
    async attempt() {
      const to = await owner();
      if (to === null || to === options.node) return { is: "ownerUnknown" };
      const result = await sent.send(to, Math.min(answerTimeoutMs, leftMs()));
      if (result === "unsent") return { is: "ownerUnknown" };
      options.onSent(endOf(result));
      if (result !== "silence") return outcomeOf(options, { submission, result, sent });
      answerTimeoutMs *= 2;
      ownerlessSinceMs = clock.nowMs();
      return { is: "noAnswer" };
    },
    applyLimit(outcome) {
      const isOver = leftMs() <= 0;
      if (sent.isOpen)
        return isOver ? unknownFateOutcome("the owner did not answer in time") : outcome;
      const isOwnerless =
        clock.nowMs() - ownerlessSinceMs >= Math.min(limitMs, options.timeoutMs / 2);
      return isOver || isOwnerless ? { is: "failed", cause: new NotOwner() } : outcome;
    },
    end() {
      options.onEnd();
      sent.end();
    },
  };
}

function unknownFateOutcome(why: string): CommandOutcome {
  return { is: "unknown", cause: new UnknownFate(new Error(why)) };
}

function endOf(result: ForwardResult | "silence"): ForwardEnd {
  if (result === "silence") return "silence";
  const { is } = result;
  return is === "done" || is === "refused" || is === "notOwner" ? is : "failed";
}

async function outcomeOf(
  { cache }: CommandOptions,
  {
    submission,
    result,
    sent,
  }: {
    readonly submission: Submission;
    readonly result: ForwardResult;
    readonly sent: { readonly isOpen: boolean };
  },
): Promise<CommandOutcome> {
  switch (result.is) {
    case "notOwner":
      return { is: "ownerUnknown" };
    case "refused":
      return { is: "refused", execution: { ok: false, refusal: result.refusal } };
    case "notCarriedOut":
      return { is: "failed", cause: new NotCarriedOut() };
    case "unknownFate":
      return unknownFateOutcome("the command failed in the account's owner");
    case "notWritten":
      return failureOutcome(new NotWritten(null), sent);
    case "fault":
      return failureOutcome(
        new Error(`the command failed in the account's owner: ${result.reason}`),
        sent,
      );
    case "done": {
      const { events, receipt } = result;
      const account = await accountOf(cache, submission, result);
      return { is: "done", execution: { ok: true, events, account, receipt } };
    }
  }
}

/**
 * The outcome of a message that failed. It is unknown while an earlier message of the command may have been carried
 * out.
 */
function failureOutcome(cause: Error, { isOpen }: { readonly isOpen: boolean }): CommandOutcome {
  return isOpen ? unknownFateOutcome(cause.message) : { is: "failed", cause };
}

/**
 * The account after the command. When the owning node sent the rest of the account too, this node's cache keeps the
 * account.
 */
async function accountOf(
  cache: ForwardCache,
  { accountId }: Submission,
  { version, account: sent }: ForwardResult & { is: "done" },
): Promise<VersionedState> {
  if (sent === null) {
    const account = await cache.read({ accountId, version });
    if (account === null) throw new Error("broken invariant: an account that its owner changed");
    return account;
  }
  const { state, rest } = sent;
  if (rest === null) return { state, version };
  cache.put({ ...rest, state, version, isDecidedHere: false });
  return { state, version, headHash: rest.headHash };
}
