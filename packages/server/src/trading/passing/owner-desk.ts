import type { Clock } from "../../base/clock.ts";
import type { TraceParent } from "../../base/trace-parent.ts";
import type { DroppedMessages } from "../../base/transport/dropped-messages.ts";
import type { MessageSeal } from "../../base/transport/message-seal.ts";
import type { Transport } from "../../base/transport/transport.ts";
import type { Execution } from "../executor-port.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import { NotOwner, type Ownership } from "../ownership.ts";
import { NotCarriedOut } from "../receipts/not-carried-out.ts";
import type { CommittedAccount, StateCache } from "../state-cache.ts";
import type { OwnCommands } from "./own-commands.ts";
import {
  type CommandMessage,
  createMessageReader,
  createMessageWriter,
  type PassingResult,
  type Rejection,
  type RestOfAccount,
} from "./passing-message.ts";
import { answersTo, commandsTo } from "./subjects.ts";

export interface OwnerDeskOptions {
  readonly transport: Pick<Transport, "send" | "receive">;
  readonly installation: string;
  /** This node. */
  readonly node: string;
  readonly seal: MessageSeal;
  readonly ownership: Pick<Ownership, "leaseOf">;
  readonly own: OwnCommands;
  readonly cache: Pick<StateCache, "get">;
  readonly clock: Clock;
  readonly dropped: DroppedMessages<Rejection>;
  /** Follows traced commands; undefined without traces. */
  readonly traces?: PassedTraces | undefined;
  /** Called with the cause when a command of another node failed here. */
  readonly onFault: (cause: unknown) => void;
}

/** Follows the commands of other nodes. */
export interface PassedTraces {
  /** A command has come from the node with this span; call the result with the end when it is answered. */
  begin(trace: TraceParent): (end: PassingResult["is"]) => void;
}

/** Carries out the commands that other nodes pass to this one, and answers each. */
export function openOwnerDesk(options: OwnerDeskOptions): void {
  const { transport, installation, node, own, ownership, dropped, traces } = options;
  const reader = createMessageReader({ ...options, now: () => options.clock.now() });
  const writer = createMessageWriter(options.seal);
  const isNew = createNewness();

  const resultFor = async ({ submission, isAgain }: CommandMessage): Promise<PassingResult> => {
    if (ownership.leaseOf(submission.accountId) === null) return { is: "notOwner" };
    try {
      return resultOf(options, await own.carryOut(submission, isAgain));
    } catch (cause) {
      const result = failureOf(cause);
      if (result.is === "unknownFate" || result.is === "fault") options.onFault(cause);
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
    if (content !== null) transport.send(answersTo(installation, from), content);
    else options.onFault(new Error("an answer to another node is too long"));
  };
  transport.receive(commandsTo(installation, node), ({ subject, content }) => {
    const read = reader.command(content);
    if ("rejected" in read) dropped.count(read.rejected, subject);
    else if (!isNew(read.head)) dropped.count("twice", subject);
    else answer(read).catch(options.onFault);
  });
}

function failureOf(cause: unknown): PassingResult {
  if (cause instanceof NotOwner) return { is: "notOwner" };
  if (cause instanceof NotCarriedOut) return { is: "notCarriedOut" };
  if (cause instanceof UnknownFate) return { is: "unknownFate" };
  return { is: "fault", reason: cause instanceof Error ? cause.message : "unknown" };
}

function resultOf({ cache }: Pick<OwnerDeskOptions, "cache">, execution: Execution): PassingResult {
  if (!execution.ok) return { is: "refused", refusal: execution.refusal };
  const { events, order, account } = execution;
  const { state, version } = account;
  const cached = cache.get(state.accountId);
  const isNewest = cached !== null && cached.version === version;
  const rest = isNewest ? restOf(cached) : null;
  return { is: "done", events, version, order, account: { state, rest } };
}

function restOf({ headHash, place, lostEpoch, lastAtMs }: CommittedAccount): RestOfAccount {
  return { headHash, place, lostEpoch, lastAtMs };
}

/** Senders are processes; the numbers of those that were silent for longest are forgotten first. */
const SENDERS_MAX = 10_000;

/**
 * Whether a message is newer than all earlier ones of its sender. The transport keeps a sender's order, so any other is a
 * copy, which must not be carried out again.
 */
function createNewness(): (head: CommandMessage["head"]) => boolean {
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
