/**
 * Forged messages of a program that reads the messages of the nodes, knows their subjects and forms, and has no key of
 * the installation.
 */
import { createMessageSeal } from "../../packages/base/src/transport/message-seal.ts";
import type { Draw } from "./draw.ts";
import type { Heard } from "./node/simulated-transport.ts";

/** The kinds of forged messages. */
const FORGERIES = {
  /** The pair's next quote, at half or twice the price. */
  quote: 6,
  /** A quote whose number no later one reaches. */
  freeze: 2,
  /** Sources of which none is believed. */
  views: 2,
  /** A sign of life of a later feed. */
  heartbeat: 1,
  /** Another number of a forwarded command or its answer. */
  command: 2,
  /** The same again, byte for byte. */
  again: 4,
} as const;
type Forgery = keyof typeof FORGERIES;

/** Without a seal, with the seal of a real message, or with a seal under another key. */
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

export interface Forged {
  readonly kind: Forgery;
  readonly message: Heard;
  /** Null when the message is not a new price. */
  readonly quote: ForgedQuote | null;
}

/** Null when no real message was seen that it could copy. */
export function forge(draw: Draw, heard: readonly Heard[]): Forged | null {
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

const SUBJECTS: Readonly<Record<Forgery, RegExp>> = {
  quote: /\.quotes\./,
  freeze: /\.quotes\./,
  views: /\.sources$/,
  heartbeat: /\.heartbeat$/,
  command: /\.forwarding\d+\./,
  again: /\.(quotes\.|sources$|heartbeat$|answer\.|forwarding\d+\.)/,
};

type Fields = Readonly<Record<string, unknown>>;
interface Around {
  readonly draw: Draw;
  /** The highest number in a real message. */
  readonly highest: number;
  readonly subject: string;
}
interface Changed {
  readonly content: Fields;
  readonly quote: ForgedQuote | null;
}

const CHANGES: Readonly<
  Record<Exclude<Forgery, "again">, (fields: Fields, around: Around) => Changed>
> = {
  quote: (fields, around) => priced(fields, { ...around, number: around.highest + 1 }),
  freeze: (fields, around) => priced(fields, { ...around, number: NEVER_REACHED }),
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

/** The pair's next quote after the real one. */
function priced(
  fields: Fields,
  { draw, number, subject }: Around & { readonly number: number },
): Changed {
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
