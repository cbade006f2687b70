import type { Instruments } from "@propgate/core";
import type { Clock, Stopwatch } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { createDroppedMessages } from "../../base/transport/dropped-messages.ts";
import type { Received, Transport } from "../../base/transport/transport.ts";
import { comparePlaces } from "../../storage/rows/quote-place.ts";
import type { ReceivedPlaces } from "../quote-reach.ts";
import { createLocalBus, type QuoteBus } from "../quotes/quote-bus.ts";
import {
  createMessageReader,
  type Head,
  type Rejection,
  WIRE_FORMAT,
  writeAnswer,
  writeHeartbeat,
  writeQuestion,
  writeQuote,
} from "./bus-message.ts";
import { createQuoteHistory } from "./quote-history.ts";
import { createQuoteListener, SILENT_MS } from "./quote-listener.ts";

/** The right to be the feed. */
export interface FeedRight {
  readonly epoch: number;
  /** False as soon as another node may be the feed. */
  isHeld(): boolean;
  /**
   * Called when a node has heard of a later epoch, or has had more quotes of this one than were published under this
   * right: a database that lost its last commits has given epochs twice.
   */
  onEpochUsed(): void;
}

/**
 * The bus of several nodes. One of them is the feed and publishes; every node, the feed too, gets the quotes from the
 * transport alone, so all show the same ones. Without the transport no node gets quotes.
 */
export interface SharedBus extends QuoteBus, ReceivedPlaces {
  /** Makes this node the feed: it publishes under the epoch and answers the others until `follow`. */
  lead(right: FeedRight): void;
  follow(): void;
  /** Sends a sign of life and asks again for what is missing; call it every second. */
  tick(): void;
  /** True while the transport brings back what this node sends. A node without that must not be the feed. */
  readonly works: boolean;
  /** True while no quotes can arrive, so none that came before may be used. */
  readonly isCut: boolean;
  /** Why the quotes here are behind the feed's; null when they are not, or for a moment only. */
  problem(): string | null;
  /** Messages that were dropped since the start. */
  dropped(): ReadonlyMap<Rejection, number>;
}

export interface SharedBusOptions {
  readonly transport: Transport;
  /** The id of the database, so that services that share a transport do not share quotes. */
  readonly installation: string;
  /** The id of this process. */
  readonly node: string;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly steadyClock: Stopwatch;
  readonly feedEpoch: () => Promise<number | null>;
  readonly log: Pick<Log, "warn" | "error">;
}

/** A question has at most so many pairs, so an answer stays small. */
const PAIRS_MAX = 32;

function* pagesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += PAIRS_MAX) {
    yield items.slice(from, from + PAIRS_MAX);
  }
}

export function createSharedBus(options: SharedBusOptions): SharedBus {
  const { transport, installation, node, instruments, steadyClock, log } = options;
  const prefix = `propgate.${installation}.v${WIRE_FORMAT}`;
  const echoSubject = `${prefix}.echo.${node}`;
  const local = createLocalBus();
  const history = createQuoteHistory({ instruments, now: () => options.clock.now() });
  const reader = createMessageReader({ installation, instruments });
  const dropped = createDroppedMessages<Rejection>({
    clock: steadyClock,
    log,
    text: "messages of the quote bus were dropped",
  });
  let right: FeedRight | null = null;
  let published = 0;
  let echoedAtMs: number | null = null;
  const listener = createQuoteListener({
    ...options,
    deliver(quote) {
      history.add(quote);
      local.publish(quote);
    },
    ask(pairs, place) {
      const head: Head = { installation, ...place };
      for (const page of pairs.length === 0 ? [[]] : pagesOf(pairs)) {
        transport.send(`${prefix}.ask`, writeQuestion({ head, node, pairs: page }));
      }
    },
    drop: (kind) => dropped.count(kind, `${prefix}.heartbeat`),
    onFault: (cause) => log.error({ err: cause }, "the epoch of the feed could not be read"),
  });

  const works = (): boolean =>
    transport.isConnected && echoedAtMs !== null && steadyClock.nowMs() - echoedAtMs <= SILENT_MS;
  const headOf = ({ epoch }: FeedRight): Head => ({ installation, epoch, number: published });
  const beat = (): void => {
    transport.send(echoSubject, "");
    if (right?.isHeld() === true)
      transport.send(`${prefix}.heartbeat`, writeHeartbeat(headOf(right)));
  };
  const receive = (subject: string, take: (received: Received) => Rejection | null): void => {
    transport.receive(`${prefix}.${subject}`, (received) => {
      const rejection = take(received);
      if (rejection !== null) dropped.count(rejection, received.subject);
    });
  };

  transport.receive(echoSubject, () => {
    echoedAtMs = steadyClock.nowMs();
  });
  receive("quotes.*", ({ subject, content }) => {
    const read = reader.quote(subject.slice(subject.lastIndexOf(".") + 1), content);
    return "rejected" in read ? read.rejected : listener.quote(read);
  });
  receive("heartbeat", ({ content }) => {
    const read = reader.heartbeat(content);
    return "rejected" in read ? read.rejected : listener.heartbeat(read.head);
  });
  receive(`answer.${node}`, ({ content }) => {
    const read = reader.answer(content);
    return "rejected" in read ? read.rejected : listener.answer(read);
  });
  receive("ask", ({ content }) => {
    const read = reader.question(content);
    if ("rejected" in read) return read.rejected;
    if (right?.isHeld() !== true) return null;
    const head = headOf(right);
    if (comparePlaces(read.head, head) > 0) right.onEpochUsed();
    if (read.pairs.length === 0) return null;
    const pairs = read.pairs.map(({ pair }) => pair);
    const answer = writeAnswer({ head, pairs, quotes: history.afterAll(read.pairs) });
    transport.send(`${prefix}.answer.${read.node}`, answer);
    return null;
  });
  transport.onConnect(beat);

  return {
    publish(quote) {
      if (right?.isHeld() !== true || quote.epoch !== right.epoch) return;
      published = quote.number;
      history.add(quote);
      transport.send(`${prefix}.quotes.${quote.pair}`, writeQuote(installation, quote));
    },
    subscribe: (listen) => local.subscribe(listen),
    snapshot: () => local.snapshot(),
    lead(given) {
      right = given;
      published = 0;
      beat();
    },
    follow() {
      right = null;
    },
    tick() {
      beat();
      listener.askAgain();
    },
    get reached() {
      return listener.received.reached;
    },
    reachedIn: (epoch) => listener.received.reachedIn(epoch),
    get works() {
      return works();
    },
    get isCut() {
      return !works() || listener.isSilent;
    },
    problem() {
      if (!transport.isConnected) return "there is no connection to NATS";
      return works() ? listener.problem() : "NATS delivers no messages";
    },
    dropped: () => dropped.counts(),
  };
}
