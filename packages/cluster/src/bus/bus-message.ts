import { type Instruments, type PairId, pairId, price, unixMs } from "@propgate/core";
import type { QuotePlace } from "@propgate/ledger";
import type { NumberedQuote, PairView } from "@propgate/market";
import { z } from "zod";

/** The form of the messages below. A release that changes it counts it up, so no node reads another form. */
export const WIRE_FORMAT = 1;

/** A longer message is rejected as a quote. */
const QUOTE_BYTES_MAX = 1_024;
const OTHER_BYTES_MAX = 1_000_000;

const natural = z.int().min(0);
const positive = z.number().positive().max(Number.MAX_VALUE);
const milliseconds = z.int().min(0).max(8.64e15);

/** Every message names its sender's release, installation and epoch, and the newest number of the epoch. */
const HEAD = {
  release: z.int(),
  installation: z.string(),
  epoch: natural,
  number: natural,
};
const quoteBody = z.tuple([
  natural,
  positive,
  positive,
  milliseconds,
  milliseconds.nullable(),
  milliseconds,
  z.string().min(1).max(64),
  z.tuple([positive, positive, positive, positive]).nullable(),
]);
const quoteMessage = z.object({ ...HEAD, quote: quoteBody });
const heartbeat = z.object(HEAD);
const question = z.object({
  ...HEAD,
  /** Names the node that asks. */
  node: z.uuid(),
  /** The pairs, each with the epoch and the number of its newest quote on the node; null for a pair without a quote. */
  pairs: z.array(z.tuple([z.string(), natural, natural]).or(z.tuple([z.string()]))),
});
const answer = z.object({
  ...HEAD,
  /** The pairs that were asked for. */
  pairs: z.array(z.string()),
  quotes: z.array(z.tuple([z.string(), natural, natural, quoteBody])),
});

const laneView = z.object({
  source: z.string().min(1).max(64),
  quote: z
    .object({
      bid: positive,
      ask: positive,
      madeAtMs: milliseconds.nullable(),
      receivedAtMs: milliseconds,
    })
    .nullable(),
  healthySinceMs: milliseconds.nullable(),
  accepted: natural,
  rejected: z.object({
    invalid: natural,
    crossed: natural,
    future: natural,
    late: natural,
    older: natural,
    closed: natural,
    outlier: natural,
    disagreeing: natural,
  }),
  connection: z.object({
    state: z.enum(["connecting", "up", "down"]),
    reason: z.string().nullable(),
    reconnects: natural,
    unreadable: natural,
  }),
});
const pairView = z.object({
  pair: z.string(),
  speaker: z.string().nullable(),
  isHeld: z.boolean(),
  far: z.string().nullable(),
  isSilent: z.boolean(),
  isDoubtful: z.boolean(),
  deviationPct: positive,
  changes: natural,
  lanes: z.array(laneView),
});
const sourcesMessage = z.object({ ...HEAD, views: z.array(pairView) });

export interface Head {
  readonly installation: string;
  readonly epoch: number;
  /** The newest number of the epoch; in the message of a quote, the number of that quote. */
  readonly number: number;
}

export interface QuoteMessage {
  readonly head: Head;
  readonly quote: NumberedQuote;
}

/** Requests the quotes of these pairs that are newer than the node's own. */
export interface Question {
  readonly head: Head;
  readonly node: string;
  readonly pairs: readonly {
    readonly pair: PairId;
    readonly after: QuotePlace | null;
  }[];
}

export interface Answer {
  readonly head: Head;
  readonly pairs: readonly PairId[];
  /** In order of epoch and number. */
  readonly quotes: readonly NumberedQuote[];
}

/** The sources of these pairs as the feed knows them. */
export interface SourcesMessage {
  readonly head: Head;
  readonly views: readonly PairView[];
}

/**
 * Why a message was dropped. `seal`: not of a node of this installation. `size`: too long. `json`: invalid JSON.
 * `form`: unknown fields or invalid values. `release`, `installation`: from another release or installation. `pair`:
 * not in the catalogue. `epoch`: from a node that is not the feed, or no longer. `order`: older than an earlier
 * message. `twice`: a copy. `future`: received later than this node's time.
 */
export type Rejection =
  | "seal"
  | "size"
  | "json"
  | "form"
  | "release"
  | "installation"
  | "pair"
  | "epoch"
  | "order"
  | "twice"
  | "future";

type Reading<Message> = Message | { readonly rejected: Rejection };

export function writeQuote(installation: string, quote: NumberedQuote): string {
  const { epoch, number } = quote;
  return write({ installation, epoch, number }, { quote: bodyOf(quote) });
}

export function writeHeartbeat(head: Head): string {
  return write(head, {});
}

export function writeQuestion({ head, node, pairs }: Question): string {
  return write(head, {
    node,
    pairs: pairs.map(({ pair, after }) =>
      after === null ? [pair] : [pair, after.epoch, after.number],
    ),
  });
}

export function writeAnswer({ head, pairs, quotes }: Answer): string {
  return write(head, {
    pairs,
    quotes: quotes.map((quote) => [quote.pair, quote.epoch, quote.number, bodyOf(quote)]),
  });
}

export function writeSources({ head, views }: SourcesMessage): string {
  return write(head, { views });
}

/** Reads messages of one installation about the pairs of its catalogue. */
export interface MessageReader {
  quote(pair: string, content: Uint8Array): Reading<QuoteMessage>;
  heartbeat(content: Uint8Array): Reading<{ readonly head: Head }>;
  question(content: Uint8Array): Reading<Question>;
  answer(content: Uint8Array): Reading<Answer>;
  sources(content: Uint8Array): Reading<SourcesMessage>;
}

export function createMessageReader(options: {
  readonly installation: string;
  readonly instruments: Instruments;
}): MessageReader {
  const { installation, instruments } = options;
  const isKnown = (pair: string): boolean => instruments.has(pairId(pair));
  /** Checks the sender before the fields that another release may have changed. */
  const read = <Content extends Head & { readonly release: number }>(
    content: Uint8Array,
    { schema, bytesMax }: { readonly schema: z.ZodType<Content>; readonly bytesMax: number },
  ): Reading<{ readonly content: Content; readonly head: Head }> => {
    if (content.length > bytesMax) return { rejected: "size" };
    const json = parsedJson(content);
    if (json === undefined) return { rejected: "json" };
    if (has(json, "release") && json.release !== WIRE_FORMAT) return { rejected: "release" };
    if (has(json, "installation") && json.installation !== installation) {
      return { rejected: "installation" };
    }
    const parsed = schema.safeParse(json);
    if (!parsed.success) return { rejected: "form" };
    const { epoch, number } = parsed.data;
    return { content: parsed.data, head: { installation, epoch, number } };
  };

  return {
    quote(pair, bytes) {
      const reading = read(bytes, { schema: quoteMessage, bytesMax: QUOTE_BYTES_MAX });
      if ("rejected" in reading) return reading;
      const { head, content } = reading;
      if (!isKnown(pair)) return { rejected: "pair" };
      const quote = quoteOf(pair, head, content.quote);
      return quote === null ? { rejected: "form" } : { head, quote };
    },
    heartbeat: (bytes) => read(bytes, { schema: heartbeat, bytesMax: QUOTE_BYTES_MAX }),
    question(bytes) {
      const reading = read(bytes, { schema: question, bytesMax: OTHER_BYTES_MAX });
      if ("rejected" in reading) return reading;
      const { node, pairs } = reading.content;
      if (!pairs.every(([pair]) => isKnown(pair))) return { rejected: "pair" };
      return {
        head: reading.head,
        node,
        pairs: pairs.map(([pair, epoch, number]) => ({
          pair: pairId(pair),
          after: epoch === undefined || number === undefined ? null : { epoch, number },
        })),
      };
    },
    answer(bytes) {
      const reading = read(bytes, { schema: answer, bytesMax: OTHER_BYTES_MAX });
      if ("rejected" in reading) return reading;
      const { head, content } = reading;
      const named = [...content.pairs, ...content.quotes.map(([pair]) => pair)];
      if (!named.every(isKnown)) return { rejected: "pair" };
      const quotes: NumberedQuote[] = [];
      for (const [pair, epoch, number, body] of content.quotes) {
        const quote = quoteOf(pair, { epoch, number }, body);
        if (quote === null || epoch > head.epoch) return { rejected: "form" };
        quotes.push(quote);
      }
      return { head, pairs: content.pairs.map(pairId), quotes };
    },
    sources(bytes) {
      const reading = read(bytes, { schema: sourcesMessage, bytesMax: OTHER_BYTES_MAX });
      if ("rejected" in reading) return reading;
      const { head, content } = reading;
      if (!content.views.every(({ pair }) => isKnown(pair))) return { rejected: "pair" };
      return { head, views: content.views.map(viewOf) };
    },
  };
}

function viewOf({ lanes, ...view }: z.output<typeof pairView>): PairView {
  const pair = pairId(view.pair);
  return {
    ...view,
    pair,
    lanes: lanes.map(({ quote, ...lane }) => ({
      ...lane,
      quote:
        quote === null
          ? null
          : {
              source: lane.source,
              pair,
              bid: price(quote.bid),
              ask: price(quote.ask),
              madeAtMs: quote.madeAtMs === null ? null : unixMs(quote.madeAtMs),
              receivedAtMs: unixMs(quote.receivedAtMs),
            },
    })),
  };
}

function write({ installation, epoch, number }: Head, rest: object): string {
  return JSON.stringify({ release: WIRE_FORMAT, installation, epoch, number, ...rest });
}

/** The range is left out when it is the quote's own prices. */
function bodyOf(quote: NumberedQuote): z.input<typeof quoteBody> {
  const { previous, bid, ask, atMs, madeAtMs, receivedAtMs, source, range } = quote;
  const { lowBid, highBid, lowAsk, highAsk } = range;
  const isOwn = lowBid === bid && highBid === bid && lowAsk === ask && highAsk === ask;
  const edges: z.input<typeof quoteBody>[7] = isOwn ? null : [lowBid, highBid, lowAsk, highAsk];
  return [previous, bid, ask, atMs, madeAtMs, receivedAtMs, source, edges];
}

/** Null when the fields contradict each other. */
function quoteOf(
  pair: string,
  { epoch, number }: Pick<Head, "epoch" | "number">,
  body: z.output<typeof quoteBody>,
): NumberedQuote | null {
  const [previous, bid, ask, atMs, madeAtMs, receivedAtMs, source, edges] = body;
  const [lowBid, highBid, lowAsk, highAsk] = edges ?? [bid, bid, ask, ask];
  const isInRange = lowBid <= bid && bid <= highBid && lowAsk <= ask && ask <= highAsk;
  if (bid > ask || !isInRange || previous >= number || atMs > receivedAtMs) return null;
  return {
    pair: pairId(pair),
    epoch,
    number,
    previous,
    bid: price(bid),
    ask: price(ask),
    atMs: unixMs(atMs),
    madeAtMs: madeAtMs === null ? null : unixMs(madeAtMs),
    receivedAtMs: unixMs(receivedAtMs),
    source,
    range: {
      lowBid: price(lowBid),
      highBid: price(highBid),
      lowAsk: price(lowAsk),
      highAsk: price(highAsk),
    },
  };
}

function parsedJson(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content));
  } catch {
    return undefined;
  }
}

function has<Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> {
  return typeof value === "object" && value !== null && key in value;
}
