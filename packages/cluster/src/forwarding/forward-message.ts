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

/** The form of the messages below. A release that changes it counts it up, so no node reads another form. */
export const FORWARDING_FORMAT = 1;

/** NATS carries 1 MiB unless it is set otherwise. */
export const MESSAGE_BYTES_MAX = 1_000_000;

/** Names the message's installation, its sender and the node that it is for. */
export interface Head {
  readonly installation: string;
  readonly from: string;
  readonly to: string;
  /** The sender's number of the message, greater with each; an answer repeats it. */
  readonly number: number;
}

export interface CommandMessage {
  readonly head: Head;
  /** True when an earlier message had no answer, so the command may have been carried out. */
  readonly isAgain: boolean;
  /** Milliseconds since the sender got the command, by the sender's steady clock. */
  readonly waitedMs: number;
  /** Milliseconds until the sender gives up the command. */
  readonly leftMs: number;
  readonly submission: Submission;
}

/** The committed account without its state and version. */
export type RestOfAccount = Pick<CommittedAccount, "headHash" | "place" | "lostEpoch" | "lastAtMs">;

/** The outcome of a forwarded command. Only after `done` has anything happened, and maybe after `unknownFate`. */
export type ForwardResult =
  | {
      readonly is: "done";
      readonly events: readonly Event[];
      readonly version: number;
      /** Null when the message would be too long; the version is in the database. */
      readonly account: {
        readonly state: AccountState;
        /** The rest of the account as committed; null when the owner's account has moved on since. */
        readonly rest: RestOfAccount | null;
      } | null;
      readonly receipt: TraderReceipt | null;
    }
  | { readonly is: "refused"; readonly refusal: Refusal }
  | { readonly is: "notOwner" | "notCarriedOut" | "notWritten" | "unknownFate" }
  /** The command failed in the owner, and nothing of it was written. */
  | { readonly is: "fault"; readonly reason: string };

export interface AnswerMessage {
  readonly head: Head;
  readonly result: ForwardResult;
}

/**
 * Why a message was dropped. `size`: too long. `seal`: not of a node of this installation. `json`: invalid JSON.
 * `form`: unknown fields or invalid values. `format`, `installation`, `addressee`: for another format, installation or
 * node. `twice`: not newer than the sender's newest.
 */
export type Rejection =
  | "size"
  | "seal"
  | "json"
  | "form"
  | "format"
  | "installation"
  | "addressee"
  | "twice";

export type Reading<Message> = Message | { readonly rejected: Rejection };

const natural = z.int().min(0);
const text = z.string().min(1).max(256);

const HEAD = {
  format: z.int(),
  installation: z.string(),
  from: z.uuid(),
  to: z.string(),
  number: natural,
};

/** Commands of prices and of the clock are not forwarded: the owner makes them itself. */
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
  /** Absent for the orders of keys, which have a nonce. */
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
        isTraderCommand({ type: textOf(value, "type") }) ||
        OTHER_COMMANDS.has(textOf(value, "type")),
    ),
  })
  .or(
    z.strictObject({
      ...HEAD,
      ...COMMON,
      account: z.uuid(),
      isOrder: z.literal(true),
      origin,
      command: z.custom<TraderCommand>((value) => isTraderCommand({ type: textOf(value, "type") })),
    }),
  );

const result = z.discriminatedUnion("is", [
  z.strictObject({
    is: z.literal("done"),
    events: z.array(z.custom<Event>((value) => textOf(value, "type") !== "")),
    version: z.int().min(1),
    account: z
      .strictObject({
        state: z.custom<AccountState>((value) => textOf(value, "accountId") !== ""),
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
    receipt: z.custom<TraderReceipt>((value) => textOf(value, "outcome") !== "").nullable(),
  }),
  z.strictObject({
    is: z.literal("refused"),
    refusal: z.custom<Refusal>((value) => textOf(value, "code") !== ""),
  }),
  z.strictObject({ is: z.enum(["notOwner", "notCarriedOut", "notWritten", "unknownFate"]) }),
  z.strictObject({ is: z.literal("fault"), reason: z.string() }),
]);
const answerMessage = z.strictObject({ ...HEAD, result });

/** A message names its sender, its addressee and its number, so its seal needs no subject. */
const ABOUT = "forwarding";

/** Writes messages; null for one that is too long. */
export interface MessageWriter {
  command(message: CommandMessage): string | null;
  /** An answer that is too long is written without the account's state. */
  answer(message: AnswerMessage): string | null;
}

export function createMessageWriter(seal: MessageSeal): MessageWriter {
  const write = (head: Head, rest: object): string | null => {
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
      const whole = write(head, { result: wireResult(sent) });
      if (whole !== null || sent.is !== "done") return whole;
      return write(head, { result: wireResult({ ...sent, account: null }) });
    },
  };
}

/**
 * Reads messages that other nodes sent to this one. The fields that this module does not check are those that a node of
 * the same release wrote, as the seal proves; they are read as the same records of the database are.
 */
export interface MessageReader {
  command(content: Uint8Array): Reading<CommandMessage>;
  answer(content: Uint8Array): Reading<AnswerMessage>;
}

export function createMessageReader(options: {
  readonly installation: string;
  /** The id of this node. */
  readonly node: string;
  readonly seal: MessageSeal;
  readonly now: () => number;
}): MessageReader {
  const read = <Content extends Head>(
    bytes: Uint8Array,
    schema: z.ZodType<Content>,
  ): Reading<{ readonly content: Content; readonly head: Head }> => {
    if (bytes.length > MESSAGE_BYTES_MAX) return { rejected: "size" };
    const opened = options.seal.open(Buffer.from(bytes).toString("utf8"), ABOUT);
    if (opened === null) return { rejected: "seal" };
    const json = parsedJson(opened);
    if (json === null) return { rejected: "json" };
    const rejected = foreignness(json, options);
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
      return { head: reading.head, result: resultOf(reading.content.result) };
    },
  };
}

/** Checks for whom the message is, before the fields that another release may have changed. */
function foreignness(
  json: object,
  { installation, node }: { readonly installation: string; readonly node: string },
): Rejection | null {
  if ("format" in json && json.format !== FORWARDING_FORMAT) return "format";
  if ("installation" in json && json.installation !== installation) return "installation";
  return "to" in json && json.to !== node ? "addressee" : null;
}

/** The moment of receipt is in the owner's own time, so `processing_time` is right when the nodes' clocks differ. */
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

function wireResult(sent: ForwardResult): object {
  if (sent.is !== "done" || sent.account === null) return sent;
  const { state, rest } = sent.account;
  const headHash = Buffer.from(rest?.headHash ?? []).toString("hex");
  return { ...sent, account: { state, rest: rest === null ? null : { ...rest, headHash } } };
}

function resultOf(sent: z.output<typeof result>): ForwardResult {
  if (sent.is !== "done") return sent;
  if (sent.account === null) return { ...sent, account: null };
  const { state, rest } = sent.account;
  const headHash = Buffer.from(rest?.headHash ?? "", "hex");
  return { ...sent, account: { state, rest: rest === null ? null : { ...rest, headHash } } };
}

/** Empty unless the value has a text under that name. */
function textOf(value: unknown, name: string): string {
  if (typeof value !== "object" || value === null) return "";
  const field: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return typeof field === "string" ? field : "";
}

/** Null when it is not a JSON object. */
function parsedJson(content: string): object | null {
  try {
    const json: unknown = JSON.parse(content);
    return typeof json === "object" ? json : null;
  } catch {
    return null;
  }
}
