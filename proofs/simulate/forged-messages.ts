/**
 * Forged messages. Their sender reads the messages of the nodes and knows their subjects and forms, but has no key of
 * the installation.
 */
import { createMessageSeal } from "../../packages/base/src/transport/message-seal.ts";
import type { HeardMessage } from "./node/simulated-transport.ts";
import type { RandomDraw } from "./random-draw.ts";

/** The kinds of forged messages and their weights. */
const FORGERIES = {
  /** The pair's next quote at half or twice its price. */
  quote: 6,
  /** The pair's next quote at half or twice its price, with a number that no later quote of the feed reaches. */
  freeze: 2,
  /** A feed's view of the sources in which each source is doubtful. */
  views: 2,
  /** A heartbeat of a feed with the next epoch. */
  heartbeat: 1,
  /** A forwarded command or its answer with a later number. */
  command: 2,
  /** A real message again, byte for byte. */
  again: 4,
} as const;
type ForgeryKind = keyof typeof FORGERIES;

/** The seals of forged messages and their weights: no seal, the seal of a real message, or one under another key. */
const SEALS = { none: 1, heard: 1, another: 1 } as const;
const OTHER_KEY = new Uint8Array(32).fill(9);
const NEVER_REACHED = 8e15;

/** A price that no feed has published. */
export interface ForgedQuote {
  readonly pair: string;
  readonly epoch: number;
  readonly number: number;
  readonly bid: number;
  readonly ask: number;
}

/** A forged message, with the price that it shows. */
export interface ForgedMessage {
  readonly kind: ForgeryKind;
  readonly message: HeardMessage;
  /** The forged price; null when the message is not a new price. */
  readonly quote: ForgedQuote | null;
}

/** Creates a forged message from a real one; null when no real message of the drawn kind was heard. */
export function createForgedMessage(
  draw: RandomDraw,
  heard: readonly HeardMessage[],
): ForgedMessage | null {
  const kind = draw.weighted(FORGERIES);
  const known = heard.filter(({ subject }) => SUBJECTS[kind].test(subject));
  if (known.length === 0) return null;
  const sent = draw.pick(known);
  if (kind === "again") return { kind, message: sent, quote: null };
  const seals = sent.text.slice(0, sent.text.indexOf("\n") + 1);
  const fields: unknown = JSON.parse(sent.text.slice(seals.length));
  if (!isRecord(fields)) return null;
  const highest = Math.max(
    ...heard.map(({ text }) => Number(/"number":(\d+)/.exec(text)?.[1] ?? 0)),
  );
  const { content, quote } = CHANGES[kind]({ ...fields }, { draw, highest, subject: sent.subject });
  const text = JSON.stringify(content);
  const { subject } = sent;
  const sealed = {
    none: text,
    heard: seals + text,
    another: createMessageSeal([OTHER_KEY]).seal(text, subject),
  };
  return { kind, message: { subject, text: sealed[draw.weighted(SEALS)] }, quote };
}

const SUBJECTS: Readonly<Record<ForgeryKind, RegExp>> = {
  quote: /\.quotes\./,
  freeze: /\.quotes\./,
  views: /\.sources$/,
  heartbeat: /\.heartbeat$/,
  command: /\.forwarding\d+\./,
  again: /\.(quotes\.|sources$|heartbeat$|answer\.|forwarding\d+\.)/,
};

type Fields = Readonly<Record<string, unknown>>;
interface ForgeryContext {
  readonly draw: RandomDraw;
  /** The highest number in the messages that were seen. */
  readonly highest: number;
  readonly subject: string;
}
interface ChangedContent {
  readonly content: Fields;
  readonly quote: ForgedQuote | null;
}

const CHANGES: Readonly<
  Record<Exclude<ForgeryKind, "again">, (fields: Fields, around: ForgeryContext) => ChangedContent>
> = {
  quote: (fields, around) => withForgedPrice(fields, { ...around, number: around.highest + 1 }),
  freeze: (fields, around) => withForgedPrice(fields, { ...around, number: NEVER_REACHED }),
  views({ views, ...rest }) {
    const doubted = listOf(views).map((view) => ({
      ...(isRecord(view) ? view : {}),
      isDoubtful: true,
    }));
    return { content: { ...rest, views: doubted }, quote: null };
  },
  heartbeat: ({ epoch, ...rest }) => ({
    content: { ...rest, epoch: Number(epoch) + 1 },
    quote: null,
  }),
  command: ({ number, ...rest }) => ({
    content: { ...rest, number: Number(number) + 1_000 },
    quote: null,
  }),
};

/** The quote at half or twice its price, under the given number. */
function withForgedPrice(
  fields: Fields,
  { draw, number, subject }: ForgeryContext & { readonly number: number },
): ChangedContent {
  const [, bid, ask, ...times] = listOf(fields.quote);
  const factor = draw.pick([0.5, 2]);
  const [low, high] = [Number(bid) * factor, Number(ask) * factor];
  const body = [fields.number, low, high, ...times.slice(0, -1), null];
  const pair = subject.slice(subject.lastIndexOf(".") + 1);
  return {
    content: { ...fields, number, quote: body },
    quote: { pair, epoch: Number(fields.epoch), number, bid: low, ask: high },
  };
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
