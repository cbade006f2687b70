import type { Clock, DroppedMessages, MessageSeal, TraceParent, Transport } from "@propgate/base";
import { assert } from "@propgate/core";
import {
  type CommittedAccount,
  type Execution,
  type Executor,
  NotCarriedOut,
  NotOwner,
  NotWritten,
  type Ownership,
  receiptIdOf,
  receiptKey,
  type StateCache,
  UnknownFate,
} from "@propgate/ledger";
import {
  type CommandMessage,
  createForwardMessageReader,
  createForwardMessageWriter,
  type ForwardDropReason,
  type ForwardResult,
  type RestOfAccount,
} from "./forward-message.ts";
import { answerSubject, commandSubject } from "./subjects.ts";

export interface OwnerDeskOptions {
  readonly transport: Pick<Transport, "send" | "subscribe">;
  readonly installation: string;
  /** The id of this node. */
  readonly node: string;
  readonly seal: MessageSeal;
  readonly ownership: Pick<Ownership, "leaseOf">;
  /** The executor of this node's accounts. */
  readonly local: Pick<Executor, "submit">;
  readonly cache: Pick<StateCache, "get">;
  readonly clock: Clock;
  readonly dropped: DroppedMessages<ForwardDropReason>;
  /** Traces the commands that carry a trace; undefined without traces. */
  readonly traces?: ForwardedTraces | undefined;
  /** Called with the cause when a command of another node failed here. */
  readonly onFault: (cause: unknown) => void;
}

/** Traces the commands that other nodes forward to this one. */
export interface ForwardedTraces {
  /**
   * Starts the trace of a command from another node, under that node's span. Call the returned function with the kind
   * of the result when the command is answered.
   */
  begin(trace: TraceParent): (end: ForwardResult["is"]) => void;
}

/** Carries out the commands that other nodes forward to this one, and answers each. */
export function openOwnerDesk(options: OwnerDeskOptions): void {
  const { transport, installation, node, ownership, dropped, traces } = options;
  const carryOut = createDeduplicatingExecutor(options.local);
  const reader = createForwardMessageReader({ ...options, now: () => options.clock.now() });
  const writer = createForwardMessageWriter(options.seal);
  const isNew = createDuplicateFilter();

  const resultFor = async (message: CommandMessage): Promise<ForwardResult> => {
    if (ownership.leaseOf(message.submission.accountId) === null) return { is: "notOwner" };
    try {
      return resultOf(options, await carryOut(message));
    } catch (cause) {
      const result = failureOf(cause);
      if (result.is === "unknownFate" || result.is === "fault") options.onFault(cause);
      if (cause instanceof NotWritten) options.onFault(cause.cause);
      return result;
    }
  };
  const answer = async (message: CommandMessage): Promise<void> => {
    const { from, number } = message.head;
    const { origin } = message.submission;
    const trace = origin.by === "key" ? origin.trace : undefined;
    const traced = trace === undefined ? undefined : traces?.begin(trace);
    const result = await resultFor(message);
    traced?.(result.is);
    const content = writer.answer({ head: { installation, from: node, to: from, number }, result });
    if (content !== null) transport.send(answerSubject(installation, from), content);
    else options.onFault(new Error("an answer to another node is too long"));
  };
  transport.subscribe(commandSubject(installation, node), ({ subject, content }) => {
    const read = reader.command(content);
    if ("rejected" in read) dropped.count(read.rejected, subject);
    else if (!isNew(read.head)) dropped.count("twice", subject);
    else answer(read).catch(options.onFault);
  });
}

/** Carries out commands. A command that arrives again while it is under way gets the result of the first. */
function createDeduplicatingExecutor(
  local: Pick<Executor, "submit">,
): (message: CommandMessage) => Promise<Execution> {
  const underWay = new Map<string, Promise<Execution>>();
  return ({ submission, isAgain }) => {
    const receipt = receiptIdOf(submission);
    assert(receipt !== null, "a forwarded command with a receipt");
    const id = receiptKey(receipt);
    const first = underWay.get(id);
    if (first !== undefined) return first;
    const deciding = local
      .submit({ ...submission, forwarded: isAgain ? "again" : "first" })
      .finally(() => underWay.delete(id));
    underWay.set(id, deciding);
    return deciding;
  };
}

function failureOf(cause: unknown): ForwardResult {
  if (cause instanceof NotOwner) return { is: "notOwner" };
  if (cause instanceof NotCarriedOut) return { is: "notCarriedOut" };
  if (cause instanceof NotWritten) return { is: "notWritten" };
  if (cause instanceof UnknownFate) return { is: "unknownFate" };
  return { is: "fault", reason: cause instanceof Error ? cause.message : "unknown" };
}

function resultOf({ cache }: Pick<OwnerDeskOptions, "cache">, execution: Execution): ForwardResult {
  if (!execution.ok) return { is: "refused", refusal: execution.refusal };
  const { events, receipt, account } = execution;
  const { state, version } = account;
  const cached = cache.get(state.accountId);
  const isNewest = cached !== null && cached.version === version;
  const rest = isNewest ? accountRestOf(cached) : null;
  return { is: "done", events, version, receipt, account: { state, rest } };
}

function accountRestOf({ headHash, place, lostEpoch, lastAtMs }: CommittedAccount): RestOfAccount {
  return { headHash, place, lostEpoch, lastAtMs };
}

/**
 * The maximum number of senders for which the number of the last message is remembered, to recognize copies. A sender
 * is a process, so restarts add senders. Those that have been silent for longest are forgotten first.
 */
const SENDERS_MAX = 10_000;

/**
 * Returns a function that is true for a message newer than all earlier ones of its sender. The transport keeps the
 * order of a sender's messages, so any other message is a copy, which must not be carried out again.
 */
function createDuplicateFilter(): (head: CommandMessage["head"]) => boolean {
  const newest = new Map<string, number>();
  return ({ from, number }) => {
    if (number <= (newest.get(from) ?? -1)) return false;
    newest.delete(from);
    newest.set(from, number);
    const [oldest] = newest.keys();
    if (newest.size > SENDERS_MAX && oldest !== undefined) newest.delete(oldest);
    return true;
  };
}
