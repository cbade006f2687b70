import { isTraceParent, type MessageSeal } from "@propgate/base";
import {
  type AccountState,
  accountId,
  type Command,
  type Event,
  isTraderCommand,
  type Refusal,
  type TraderCommand,
  unixMs,
} from "@propgate/core";
import {
  type CommittedAccount,
  type Origin,
  personId,
  type Submission,
  type TraderReceipt,
} from "@propgate/ledger";
import { z } from "zod";

/**
 * The number of the format of the messages below. A release that changes the format increments it, and a node drops
 * messages of another format.
 */
export const FORWARDING_FORMAT = 1;

/** The maximum length of a message. NATS carries 1 MiB by default, which is a little more. */
export const MESSAGE_BYTES_MAX = 1_000_000;

/** Names the message's installation, the node that sends it and the node that receives it, and numbers the message. */
export interface ForwardHead {
  readonly installation: string;
  readonly from: string;
  readonly to: string;
  /**
   * The number of the message. A sender gives each message with a command a greater number than the one before. An
   * answer repeats the number of the message that it answers.
   */
  readonly number: number;
}

/** A command that the sender forwards to the node that owns the command's account. */
export interface CommandMessage {
  readonly head: ForwardHead;
  /** True when an earlier message with this command may have been carried out, because no answer excludes it. */
  readonly isAgain: boolean;
  /** Milliseconds since the sender received the command, by the sender's steady clock. */
  readonly waitedMs: number;
  /** Milliseconds until the sender gives up the command. */
  readonly leftMs: number;
  readonly submission: Submission;
}

/** The committed account without its state and version. */
export type RestOfAccount = Pick<CommittedAccount, "headHash" | "place" | "lostEpoch" | "lastAtMs">;

/**
 * The outcome of a forwarded command. `done`: it was carried out. `unknownFate`: it may have been carried out. With any
 * other outcome, this message had no effect.
 */
export type ForwardResult =
  | {
      readonly is: "done";
      readonly events: readonly Event[];
      readonly version: number;
      /**
       * The account after the command; null when the message would be too long with it. Then the receiver reads the
       * account in this version from the database.
       */
      readonly account: {
        readonly state: AccountState;
        /**
         * The rest of the account as committed; null when the account in the owning node already has a later version.
         */
        readonly rest: RestOfAccount | null;
      } | null;
      readonly receipt: TraderReceipt | null;
    }
  | { readonly is: "refused"; readonly refusal: Refusal }
  | { readonly is: "notOwner" | "notCarriedOut" | "notWritten" | "unknownFate" }
  /** The command failed in the owning node with this error, and no part of it was written. */
  | { readonly is: "fault"; readonly reason: string };

/** The answer of the node that owns the account of a command to the node that forwarded the command. */
export interface AnswerMessage {
  readonly head: ForwardHead;
  readonly result: ForwardResult;
}

/**
 * Why a message was dropped. `size`: it is too long. `seal`: no node of this installation has sealed it. `json`: it is
 * not a JSON object. `form`: it has unknown fields or invalid values. `format`: another release wrote it, in another
 * format. `installation`: it is for another installation. `addressee`: it is for another node. `twice`: its number is
 * not greater than that of an earlier message from its sender.
 */
export type ForwardDropReason =
  | "size"
  | "seal"
  | "json"
  | "form"
  | "format"
  | "installation"
  | "addressee"
  | "twice";

/** A message, or why it was dropped. */
export type ForwardMessageReading<Message> = Message | { readonly rejected: ForwardDropReason };

const natural = z.int().min(0);
const text = z.string().min(1).max(256);

const HEAD = {
  format: z.int(),
  installation: z.string(),
  from: z.uuid(),
  to: z.string(),
  number: natural,
};

/**
 * The sender of a command that may be forwarded. Commands of prices and of the clock are not forwarded, because the
 * node that owns the account makes its own.
 */
const origin = z.discriminatedUnion("by", [
  z.strictObject({
    by: z.literal("key"),
    keyId: text,
    nonce: text,
    admittedAtMs: natural,
    trace: z.string().refine(isTraceParent).optional(),
  }),
  z.strictObject({ by: z.literal("owner"), personId: text }),
  z.strictObject({ by: z.literal("operator") }),
]);

/** The types of forwarded commands other than those of traders. */
const OTHER_COMMANDS: ReadonlySet<string> = new Set(
  Object.keys({
    openAccount: true,
    provisionAccount: true,
    closeAccount: true,
    eliminateAccount: true,
    offerPro: true,
    promote: true,
    recordPayout: true,
    suspendSwitch: true,
    resumeSwitch: true,
  } satisfies Readonly<
    Record<
      Exclude<Command["type"], TraderCommand["type"] | "settlePrices" | "recordBests" | "passTime">,
      true
    >
  >),
);

const COMMON = {
  isAgain: z.boolean(),
  waitedMs: natural,
  leftMs: z.int().min(1),
  /** The id of the command's receipt. Absent for an order of a key, whose nonce finds its receipt. */
  commandId: z.uuid().optional(),
};
const commandMessage = z
  .strictObject({
    ...HEAD,
    ...COMMON,
    account: z.uuid(),
    isOrder: z.literal(false),
    origin,
    command: z.custom<Command>(
      (value) =>
        isTraderCommand({ type: textField(value, "type") }) ||
        OTHER_COMMANDS.has(textField(value, "type")),
    ),
  })
  .or(
    z.strictObject({
      ...HEAD,
      ...COMMON,
      account: z.uuid(),
      isOrder: z.literal(true),
      origin,
      command: z.custom<TraderCommand>((value) =>
        isTraderCommand({ type: textField(value, "type") }),
      ),
    }),
  );

const result = z.discriminatedUnion("is", [
  z.strictObject({
    is: z.literal("done"),
    events: z.array(z.custom<Event>((value) => textField(value, "type") !== "")),
    version: z.int().min(1),
    account: z
      .strictObject({
        state: z.custom<AccountState>((value) => textField(value, "accountId") !== ""),
        rest: z
          .strictObject({
            headHash: z.string().regex(/^[0-9a-f]{64}$/),
            place: z.strictObject({ epoch: natural, number: natural }),
            lostEpoch: natural,
            lastAtMs: natural.transform(unixMs),
          })
          .nullable(),
      })
      .nullable(),
    receipt: z.custom<TraderReceipt>((value) => textField(value, "outcome") !== "").nullable(),
  }),
  z.strictObject({
    is: z.literal("refused"),
    refusal: z.custom<Refusal>((value) => textField(value, "code") !== ""),
  }),
  z.strictObject({ is: z.enum(["notOwner", "notCarriedOut", "notWritten", "unknownFate"]) }),
  z.strictObject({ is: z.literal("fault"), reason: z.string() }),
]);
const answerMessage = z.strictObject({ ...HEAD, result });

/**
 * The subject under which all these messages are sealed. A message itself names its sender, its addressee and its
 * number, so its seal does not need the real subject.
 */
const ABOUT = "forwarding";

/** Writes sealed messages. Each method returns null when the message is too long. */
export interface ForwardMessageWriter {
  command(message: CommandMessage): string | null;
  /** Writes an answer. It leaves out the account when the answer would be too long with it. */
  answer(message: AnswerMessage): string | null;
}

export function createForwardMessageWriter(seal: MessageSeal): ForwardMessageWriter {
  const write = (head: ForwardHead, rest: object): string | null => {
    const sealed = seal.seal(
      JSON.stringify({ format: FORWARDING_FORMAT, ...head, ...rest }),
      ABOUT,
    );
    return Buffer.byteLength(sealed) <= MESSAGE_BYTES_MAX ? sealed : null;
  };
  return {
    command({ head, isAgain, waitedMs, leftMs, submission }) {
      const { accountId: account, command, origin: by, commandId } = submission;
      const isOrder = submission.receivedAtMs !== undefined;
      const about = { isAgain, waitedMs, leftMs, commandId };
      return write(head, { ...about, account, isOrder, origin: by, command });
    },
    answer({ head, result: sent }) {
      const whole = write(head, { result: encodeResult(sent) });
      if (whole !== null || sent.is !== "done") return whole;
      return write(head, { result: encodeResult({ ...sent, account: null }) });
    },
  };
}

/**
 * Reads the messages that other nodes sent to this one. It checks commands, events and states only by their type or one
 * other field: the seal proves that a node of this installation wrote them, and `format` proves that its release writes
 * them in the same form.
 */
export interface ForwardMessageReader {
  command(content: Uint8Array): ForwardMessageReading<CommandMessage>;
  answer(content: Uint8Array): ForwardMessageReading<AnswerMessage>;
}

export function createForwardMessageReader(options: {
  readonly installation: string;
  /** The id of this node. */
  readonly node: string;
  readonly seal: MessageSeal;
  readonly now: () => number;
}): ForwardMessageReader {
  const read = <Content extends ForwardHead>(
    bytes: Uint8Array,
    schema: z.ZodType<Content>,
  ): ForwardMessageReading<{ readonly content: Content; readonly head: ForwardHead }> => {
    if (bytes.length > MESSAGE_BYTES_MAX) return { rejected: "size" };
    const opened = options.seal.open(Buffer.from(bytes).toString("utf8"), ABOUT);
    if (opened === null) return { rejected: "seal" };
    const json = parsedJson(opened);
    if (json === null) return { rejected: "json" };
    const rejected = reasonNotForThisNode(json, options);
    if (rejected !== null) return { rejected };
    const parsed = schema.safeParse(json);
    if (!parsed.success) return { rejected: "form" };
    const { installation, from, to, number } = parsed.data;
    return { content: parsed.data, head: { installation, from, to, number } };
  };
  return {
    command(bytes) {
      const reading = read(bytes, commandMessage);
      if ("rejected" in reading) return reading;
      const { head, content } = reading;
      const { isAgain, waitedMs, leftMs } = content;
      return { head, isAgain, waitedMs, leftMs, submission: submissionOf(content, options.now()) };
    },
    answer(bytes) {
      const reading = read(bytes, answerMessage);
      if ("rejected" in reading) return reading;
      return { head: reading.head, result: decodeResult(reading.content.result) };
    },
  };
}

/**
 * Why the message is not for this node to read; null when it is. Checked before the other fields, which another release
 * may have changed.
 */
function reasonNotForThisNode(
  json: object,
  { installation, node }: { readonly installation: string; readonly node: string },
): ForwardDropReason | null {
  if ("format" in json && json.format !== FORWARDING_FORMAT) return "format";
  if ("installation" in json && json.installation !== installation) return "installation";
  return "to" in json && json.to !== node ? "addressee" : null;
}

/**
 * The command of a message. This node's clock gives the time of receipt, so `processing_time` is right although the
 * clocks of nodes differ.
 */
function submissionOf(content: z.output<typeof commandMessage>, now: number): Submission {
  const { command, isOrder, commandId } = content;
  const id = accountId(content.account);
  const by = originOf(content.origin);
  if (!isOrder) return { accountId: id, origin: by, command, commandId };
  const receivedAtMs = unixMs(now - content.waitedMs);
  return { accountId: id, origin: by, command, commandId, receivedAtMs };
}

function originOf(sent: z.output<typeof origin>): Origin {
  if (sent.by === "key") return { ...sent, admittedAtMs: unixMs(sent.admittedAtMs) };
  return sent.by === "owner" ? { by: "owner", personId: personId(sent.personId) } : sent;
}

function encodeResult(sent: ForwardResult): object {
  if (sent.is !== "done" || sent.account === null) return sent;
  const { state, rest } = sent.account;
  const headHash = Buffer.from(rest?.headHash ?? []).toString("hex");
  return { ...sent, account: { state, rest: rest === null ? null : { ...rest, headHash } } };
}

function decodeResult(sent: z.output<typeof result>): ForwardResult {
  if (sent.is !== "done") return sent;
  if (sent.account === null) return { ...sent, account: null };
  const { state, rest } = sent.account;
  const headHash = Buffer.from(rest?.headHash ?? "", "hex");
  return { ...sent, account: { state, rest: rest === null ? null : { ...rest, headHash } } };
}

/** The text in the field `name` of the value; empty when the value has no such field with a text. */
function textField(value: unknown, name: string): string {
  if (typeof value !== "object" || value === null) return "";
  const field: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return typeof field === "string" ? field : "";
}

/** The content as an object; null when it is not JSON, or JSON of another kind. */
function parsedJson(content: string): object | null {
  try {
    const json: unknown = JSON.parse(content);
    return typeof json === "object" ? json : null;
  } catch {
    return null;
  }
}
