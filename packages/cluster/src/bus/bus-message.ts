import { type Instruments, type PairId, pairId, price, unixMs } from "@propgate/core";
import type { QuotePosition } from "@propgate/ledger";
import type { NumberedQuote, PairView } from "@propgate/market";
import { z } from "zod";

/**
 * The number of the format of the messages below. A release that changes the format increments it, and a node drops
 * messages of another format.
 */
export const WIRE_FORMAT = 1;

/** The maximum number of bytes of a quote or a heartbeat. A longer message is dropped with `size`. */
const QUOTE_BYTES_MAX = 1_024;
const OTHER_BYTES_MAX = 1_000_000;

const natural = z.int().min(0);
const positive = z.number().positive().max(Number.MAX_VALUE);
const milliseconds = z.int().min(0).max(8.64e15);

/** The first fields of every message. `release` is `WIRE_FORMAT`; `BusHead` describes the others. */
const HEAD = {
  release: z.int(),
  installation: z.string(),
  epoch: natural,
  number: natural,
};
/**
 * A quote as a tuple: the number of its pair's previous quote, bid, ask, `atMs`, `madeAtMs`, `receivedAtMs`, source,
 * and range. The range is lowest and highest bid, lowest and highest ask; null when all are the quote's own.
 */
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
const missedQuotesRequest = z.object({
  ...HEAD,
  /** The id of the node that sends the request and gets the answer. */
  node: z.uuid(),
  /**
   * Each pair with the epoch and the number of its newest quote on the node; the pair alone when the node has no quote
   * of it.
   */
  pairs: z.array(z.tuple([z.string(), natural, natural]).or(z.tuple([z.string()]))),
});
const answer = z.object({
  ...HEAD,
  /** The pairs of the request, also those without a newer quote. */
  pairs: z.array(z.string()),
  quotes: z.array(z.tuple([z.string(), natural, natural, quoteBody])),
});

const sourceView = z.object({
  name: z.string().min(1).max(64),
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
  sources: z.array(sourceView),
});
const sourcesMessage = z.object({ ...HEAD, views: z.array(pairView) });

/** The sender's installation, and the newest quote of the feed that it knows. */
export interface BusHead {
  readonly installation: string;
  readonly epoch: number;
  /**
   * The number of the newest quote in the epoch that the sender knows. A quote's message has the quote's own number.
   * The feed's other messages have the newest published number. A request for missed quotes has the number up to which
   * the node has all quotes.
   */
  readonly number: number;
}

/** The message with which the feed publishes a quote. */
export interface QuoteMessage {
  readonly head: BusHead;
  readonly quote: NumberedQuote;
}

/**
 * A node requests the quotes of these pairs that are newer than its own. Without pairs, it only reports its `head` to
 * the feed.
 */
export interface MissedQuotesRequest {
  readonly head: BusHead;
  readonly node: string;
  readonly pairs: readonly {
    readonly pair: PairId;
    readonly after: QuotePosition | null;
  }[];
}

/** The feed's answer to a request for missed quotes. */
export interface MissedQuotesAnswer {
  readonly head: BusHead;
  readonly pairs: readonly PairId[];
  /** Sorted by epoch, then by number. */
  readonly quotes: readonly NumberedQuote[];
}

/** The sources of some pairs, as the feed sees them. */
export interface SourcesMessage {
  readonly head: BusHead;
  readonly views: readonly PairView[];
}

/**
 * Why a message was dropped. `seal`: it has no right seal of this installation (`MessageSeal`). `size`: it is too long.
 * `json`: it is invalid JSON. `form`: it has missing or invalid values. `release`: another release wrote it, in another
 * format. `installation`: it comes from another installation. `pair`: its pair is not in the catalogue. `epoch`: its
 * epoch is not that of the present feed. `order`: it is older than an earlier message. `twice`: it is a copy of the
 * newest message. `future`: its quote has a later time than this node's clock allows.
 */
export type BusDropReason =
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

type BusMessageReading<Message> = Message | { readonly rejected: BusDropReason };

export function writeQuote(installation: string, quote: NumberedQuote): string {
  const { epoch, number } = quote;
  return writeMessage({ installation, epoch, number }, { quote: quoteBodyOf(quote) });
}

export function writeHeartbeat(head: BusHead): string {
  return writeMessage(head, {});
}

export function writeMissedQuotesRequest({ head, node, pairs }: MissedQuotesRequest): string {
  return writeMessage(head, {
    node,
    pairs: pairs.map(({ pair, after }) =>
      after === null ? [pair] : [pair, after.epoch, after.number],
    ),
  });
}

export function writeMissedQuotesAnswer({ head, pairs, quotes }: MissedQuotesAnswer): string {
  return writeMessage(head, {
    pairs,
    quotes: quotes.map((quote) => [quote.pair, quote.epoch, quote.number, quoteBodyOf(quote)]),
  });
}

export function writeSources({ head, views }: SourcesMessage): string {
  return writeMessage(head, { views });
}

/** Reads the messages of one installation. Each method returns the message, or why it is dropped. */
export interface BusMessageReader {
  quote(pair: string, content: Uint8Array): BusMessageReading<QuoteMessage>;
  heartbeat(content: Uint8Array): BusMessageReading<{ readonly head: BusHead }>;
  question(content: Uint8Array): BusMessageReading<MissedQuotesRequest>;
  answer(content: Uint8Array): BusMessageReading<MissedQuotesAnswer>;
  sources(content: Uint8Array): BusMessageReading<SourcesMessage>;
}

export function createBusMessageReader(options: {
  readonly installation: string;
  readonly instruments: Instruments;
}): BusMessageReader {
  const { installation, instruments } = options;
  const isKnown = (pair: string): boolean => instruments.has(pairId(pair));
  /** Checks format and installation before the other fields, which another release may have changed. */
  const read = <Content extends BusHead & { readonly release: number }>(
    content: Uint8Array,
    { schema, bytesMax }: { readonly schema: z.ZodType<Content>; readonly bytesMax: number },
  ): BusMessageReading<{ readonly content: Content; readonly head: BusHead }> => {
    if (content.length > bytesMax) return { rejected: "size" };
    const json = parsedJson(content);
    if (json === undefined) return { rejected: "json" };
    if (hasField(json, "release") && json.release !== WIRE_FORMAT) return { rejected: "release" };
    if (hasField(json, "installation") && json.installation !== installation) {
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
      const reading = read(bytes, { schema: missedQuotesRequest, bytesMax: OTHER_BYTES_MAX });
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

function viewOf({ sources, ...view }: z.output<typeof pairView>): PairView {
  const pair = pairId(view.pair);
  return {
    ...view,
    pair,
    sources: sources.map(({ quote, ...source }) => ({
      ...source,
      quote:
        quote === null
          ? null
          : {
              source: source.name,
              pair,
              bid: price(quote.bid),
              ask: price(quote.ask),
              madeAtMs: quote.madeAtMs === null ? null : unixMs(quote.madeAtMs),
              receivedAtMs: unixMs(quote.receivedAtMs),
            },
    })),
  };
}

function writeMessage({ installation, epoch, number }: BusHead, rest: object): string {
  return JSON.stringify({ release: WIRE_FORMAT, installation, epoch, number, ...rest });
}

/** The quote as a tuple. The range is null when all of its prices are the quote's own. */
function quoteBodyOf(quote: NumberedQuote): z.input<typeof quoteBody> {
  const { previous, bid, ask, atMs, madeAtMs, receivedAtMs, source, range } = quote;
  const { lowBid, highBid, lowAsk, highAsk } = range;
  const isOwn = lowBid === bid && highBid === bid && lowAsk === ask && highAsk === ask;
  const edges: z.input<typeof quoteBody>[7] = isOwn ? null : [lowBid, highBid, lowAsk, highAsk];
  return [previous, bid, ask, atMs, madeAtMs, receivedAtMs, source, edges];
}

/** The quote of a message; null when its fields contradict each other. */
function quoteOf(
  pair: string,
  { epoch, number }: Pick<BusHead, "epoch" | "number">,
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

function hasField<Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> {
  return typeof value === "object" && value !== null && key in value;
}
