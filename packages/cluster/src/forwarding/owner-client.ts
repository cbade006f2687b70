import type { DroppedMessages, MessageSeal, Timer, Transport } from "@propgate/base";
import type { Submission } from "@propgate/ledger";
import {
  createForwardMessageReader,
  createForwardMessageWriter,
  type ForwardDropReason,
  type ForwardMessageWriter,
  type ForwardResult,
} from "./forward-message.ts";
import { answerSubject, commandSubject } from "./subjects.ts";

/**
 * One command on its way to the node that owns its account. It may be sent several times, each time as a message of its
 * own.
 */
export interface SentCommand {
  /**
   * Sends the command to the node and waits for the answer. Returns `silence` without an answer in time, and `unsent`
   * when there is no connection. An answer to an earlier message counts too, when it is final: the command was carried
   * out, or its receipt was closed without it.
   */
  send(to: string, timeoutMs: number): Promise<ForwardResult | "silence" | "unsent">;
  /** True while a message of the command may have been carried out and has no answer with its fate. */
  readonly isOpen: boolean;
  end(): void;
}

/** Sends commands to other nodes, and passes each answer to the command that waits for it. */
export interface OwnerClient {
  begin(submission: Submission, deadline: Deadline): SentCommand;
  /** The number of answers that came after their command had ended. */
  readonly lateAnswers: number;
}

/** Milliseconds since the command arrived (`waitedMs`), and until this node gives it up (`leftMs`). */
export interface Deadline {
  waitedMs(): number;
  leftMs(): number;
}

export interface OwnerClientOptions {
  readonly transport: Pick<Transport, "send" | "subscribe" | "isConnected">;
  readonly installation: string;
  /** The id of this node. */
  readonly node: string;
  readonly seal: MessageSeal;
  readonly timer: Timer;
  readonly dropped: DroppedMessages<ForwardDropReason>;
}

export function openOwnerClient(options: OwnerClientOptions): OwnerClient {
  const { transport, installation, node, dropped } = options;
  const reader = createForwardMessageReader({ ...options, now: () => 0 });
  const parts: Parts = {
    ...options,
    writer: createForwardMessageWriter(options.seal),
    waiting: new Map(),
    number: 0,
  };
  let lateAnswers = 0;
  transport.subscribe(answerSubject(installation, node), ({ subject, content }) => {
    const read = reader.answer(content);
    if ("rejected" in read) {
      dropped.count(read.rejected, subject);
      return;
    }
    const receive = parts.waiting.get(read.head.number);
    if (receive === undefined) lateAnswers += 1;
    else receive(read.result);
  });
  return {
    get lateAnswers() {
      return lateAnswers;
    },
    begin: (submission, deadline) => createSentCommand(parts, submission, deadline),
  };
}

interface Parts extends OwnerClientOptions {
  readonly writer: ForwardMessageWriter;
  /** The functions that take the answers to messages, by the number of the message. */
  readonly waiting: Map<number, (result: ForwardResult) => void>;
  /** The number of this node's newest message. */
  number: number;
}

function createSentCommand(parts: Parts, submission: Submission, deadline: Deadline): SentCommand {
  const { transport, installation, node, timer, waiting } = parts;
  /** The numbers of the messages that may have been carried out. */
  const open = new Set<number>();
  let newest = 0;
  let final: ForwardResult | null = null;
  let answer: (end: ForwardResult | "silence") => void = () => undefined;
  const take = (message: number, result: ForwardResult): void => {
    const { is } = result;
    if (is !== "done" && is !== "unknownFate") {
      open.delete(message);
      waiting.delete(message);
    }
    // Other results are not final: when a former owner of the account does not carry out its message, the next owner
    // may still carry out the message that it got.
    if (is === "done" || is === "notCarriedOut") final = result;
    if (message === newest || final !== null) answer(result);
  };
  const written = (to: string, number: number): string => {
    const content = parts.writer.command({
      head: { installation, from: node, to, number },
      isAgain: open.size > 0,
      waitedMs: Math.max(0, Math.round(deadline.waitedMs())),
      leftMs: Math.max(1, Math.round(deadline.leftMs())),
      submission,
    });
    if (content === null) throw new Error("a command is too long to be forwarded to its owner");
    return content;
  };
  return {
    get isOpen() {
      return open.size > 0;
    },
    async send(to, timeoutMs) {
      if (final !== null) return final;
      if (!transport.isConnected) return "unsent";
      parts.number += 1;
      const message = parts.number;
      const content = written(to, message);
      newest = message;
      const end = new Promise<ForwardResult | "silence">((resolve) => {
        answer = resolve;
      });
      open.add(message);
      waiting.set(message, (result) => take(message, result));
      const cancel = timer.after(timeoutMs, () => answer("silence"));
      transport.send(commandSubject(installation, to), content);
      const ended = await end;
      cancel();
      return ended;
    },
    end() {
      for (const message of open) waiting.delete(message);
    },
  };
}
