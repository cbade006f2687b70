import {
  type Clock,
  createDroppedMessages,
  createSealedTransport,
  type DroppedMessages,
  type Log,
  type ReceivedMessage,
  type Stopwatch,
  type Transport,
} from "@propgate/base";
import type { Instruments } from "@propgate/core";
import { BEFORE_FIRST_QUOTE, compareQuotePositions, type QuotePosition } from "@propgate/ledger";
import {
  createLocalBus,
  type PairView,
  type QuoteBus,
  type ReceivedQuotes,
  type SourceViews,
  type SourceWarning,
} from "@propgate/market";
import {
  type BusDropReason,
  type BusHead,
  type BusMessageReader,
  createBusMessageReader,
  WIRE_FORMAT,
  writeHeartbeat,
  writeMissedQuotesAnswer,
  writeMissedQuotesRequest,
  writeQuote,
  writeSources,
} from "./bus-message.ts";
import { createDroppedPairs, type DroppedPairs } from "./dropped-pairs.ts";
import { createQuoteHistory } from "./quote-history.ts";
import { createQuoteListener, type QuoteListener, SILENT_MS } from "./quote-listener.ts";

/** The right to be the feed under one epoch. */
export interface FeedRight {
  readonly epoch: number;
  /** False as soon as another node may be the feed. */
  isHeld(): boolean;
  /**
   * Called when a node has seen a later epoch than this one, or more quotes of this epoch than this process has
   * published. Then the database has lost its last commits and has given an epoch a second time.
   */
  onEpochUsed(): void;
}

/**
 * The bus of several nodes. One of them is the feed and publishes. Every node, also the feed, gets its quotes only from
 * the transport, so all nodes show the same ones. Without the transport no node gets quotes.
 */
export interface SharedBus extends QuoteBus, ReceivedQuotes, SourceViews {
  /**
   * Makes this node the feed: until `endFeed`, it publishes under the right's epoch and answers the requests of other
   * nodes.
   */
  becomeFeed(right: FeedRight): void;
  endFeed(): void;
  /** Sends a heartbeat and requests missing quotes again; call it every second. */
  tick(): void;
  /** True while this node receives its own messages from the transport. Otherwise it must not be the feed. */
  readonly isWorking: boolean;
  /** True while no quotes can arrive. Then the quotes that came before must not be used either. */
  readonly isCut: boolean;
  /** Why this node's quotes are behind the feed's; null when they are not, or only for a moment. */
  problem(): string | null;
  /** The number of messages dropped since the start, by reason. */
  dropped(): ReadonlyMap<BusDropReason, number>;
  /** One warning for each pair whose quotes arrive at this node and are all dropped. */
  warnings(): readonly SourceWarning[];
}

export interface SharedBusOptions {
  readonly transport: Transport;
  /** The id of the installation, from its database. Services with other ids share the transport but not the quotes. */
  readonly installation: string;
  /** The id of this process. */
  readonly node: string;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly steadyClock: Stopwatch;
  /** The keys that make the seals of all messages (`MessageSeal`), one for each master key. */
  readonly sealKeys: readonly Uint8Array[];
  /** Reads the newest epoch that the database has given to a feed; null when there was no feed yet. */
  readonly feedEpoch: () => Promise<number | null>;
  readonly log: Pick<Log, "warn" | "error">;
}

/**
 * The maximum number of pairs in one request for missed quotes or one message about sources, so that messages and
 * answers stay small.
 */
const PAIRS_MAX = 32;

function* splitIntoPages<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += PAIRS_MAX) {
    yield items.slice(from, from + PAIRS_MAX);
  }
}

/**
 * Why a message is dropped: because it could not be read, or for the reason that `use` returns. Null when it was used.
 */
function useMessage<Message extends object>(
  read: Message | { readonly rejected: BusDropReason },
  use: (message: Message) => BusDropReason | null,
): BusDropReason | null {
  return "rejected" in read ? read.rejected : use(read);
}

type Receive = (subject: string, take: (received: ReceivedMessage) => BusDropReason | null) => void;

/** Handles the messages that the feed sends to all nodes, and its answers to this node. */
function receiveFromFeed(
  receive: Receive,
  to: {
    readonly node: string;
    readonly reader: BusMessageReader;
    readonly listener: QuoteListener;
    readonly viewListeners: readonly ((views: readonly PairView[]) => void)[];
  },
): void {
  const { reader, listener } = to;
  let newest: QuotePosition = BEFORE_FIRST_QUOTE;
  receive("quotes.*", ({ subject, content }) =>
    useMessage(reader.quote(subject.slice(subject.lastIndexOf(".") + 1), content), (message) =>
      listener.takeQuote(message),
    ),
  );
  receive("heartbeat", ({ content }) =>
    useMessage(reader.heartbeat(content), ({ head }) => listener.takeHeartbeat(head)),
  );
  receive(`answer.${to.node}`, ({ content }) =>
    useMessage(reader.answer(content), (answer) => listener.takeAnswer(answer)),
  );
  receive("sources", ({ content }) =>
    useMessage(reader.sources(content), ({ head, views }) => {
      if (head.epoch !== listener.receivedPlaces.reached.epoch) return "epoch";
      // A program that reads the transport could send earlier messages again, and their seals would be right. So a
      // message with views that are older than the newest ones is dropped.
      if (compareQuotePositions(head, newest) < 0) return "order";
      newest = head;
      for (const listen of to.viewListeners) listen(views);
      return null;
    }),
  );
}

/** Counts dropped messages by reason, and reports those with quotes to `droppedPairs`. */
function createDropCounter(
  { steadyClock: clock, log }: SharedBusOptions,
  { droppedPairs, quotes }: { readonly droppedPairs: DroppedPairs; readonly quotes: string },
): DroppedMessages<BusDropReason> {
  const text = "messages of the quote bus were dropped";
  const all = createDroppedMessages<BusDropReason>({ clock, log, text });
  return {
    ...all,
    count(kind, subject) {
      all.count(kind, subject);
      if (subject.startsWith(quotes)) droppedPairs.recordDropped(subject, kind);
    },
  };
}

export function createSharedBus(options: SharedBusOptions): SharedBus {
  const { installation, node, instruments, steadyClock, log } = options;
  const prefix = `propgate.${installation}.v${WIRE_FORMAT}`;
  const echoSubject = `${prefix}.echo.${node}`;
  const local = createLocalBus();
  const history = createQuoteHistory({ instruments, now: () => options.clock.now() });
  const reader = createBusMessageReader({ installation, instruments });
  const droppedPairs = createDroppedPairs({ instruments, clock: steadyClock });
  const dropped = createDropCounter(options, { droppedPairs, quotes: `${prefix}.quotes.` });
  const transport = createSealedTransport(options, (subject) => dropped.count("seal", subject));
  const viewListeners: ((views: readonly PairView[]) => void)[] = [];
  let right: FeedRight | null = null;
  let published = 0;
  let echoedAtMs: number | null = null;
  const listener = createQuoteListener({
    ...options,
    deliver(quote) {
      droppedPairs.recordUsed(quote.pair);
      history.add(quote);
      local.publish(quote);
    },
    request(pairs, place) {
      const head: BusHead = { installation, ...place };
      for (const page of pairs.length === 0 ? [[]] : splitIntoPages(pairs)) {
        transport.send(`${prefix}.ask`, writeMissedQuotesRequest({ head, node, pairs: page }));
      }
    },
    drop: (kind) => dropped.count(kind, `${prefix}.heartbeat`),
    onFault: (cause) => log.error({ err: cause }, "the epoch of the feed could not be read"),
  });

  const works = (): boolean =>
    transport.isConnected && echoedAtMs !== null && steadyClock.nowMs() - echoedAtMs <= SILENT_MS;
  const headOf = ({ epoch }: FeedRight): BusHead => ({ installation, epoch, number: published });
  const beat = (): void => {
    transport.send(echoSubject, "");
    if (right?.isHeld() === true)
      transport.send(`${prefix}.heartbeat`, writeHeartbeat(headOf(right)));
  };
  const receive: Receive = (subject, take) => {
    transport.subscribe(`${prefix}.${subject}`, (received) => {
      const rejection = take(received);
      if (rejection !== null) dropped.count(rejection, received.subject);
    });
  };

  transport.subscribe(echoSubject, () => {
    echoedAtMs = steadyClock.nowMs();
  });
  receiveFromFeed(receive, { node, reader, listener, viewListeners });
  receive("ask", ({ content }) =>
    useMessage(reader.question(content), (question) => {
      if (right?.isHeld() !== true) return null;
      const head = headOf(right);
      if (compareQuotePositions(question.head, head) > 0) right.onEpochUsed();
      if (question.pairs.length === 0) return null;
      const pairs = question.pairs.map(({ pair }) => pair);
      const quotes = history.listNewerThan(question.pairs);
      const answer = writeMissedQuotesAnswer({ head, pairs, quotes });
      transport.send(`${prefix}.answer.${question.node}`, answer);
      return null;
    }),
  );
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
    becomeFeed(given) {
      right = given;
      published = 0;
      beat();
    },
    endFeed() {
      right = null;
    },
    tick() {
      beat();
      listener.requestAgain();
    },
    send(views) {
      if (right?.isHeld() !== true) return;
      const head = headOf(right);
      for (const page of splitIntoPages(views)) {
        transport.send(`${prefix}.sources`, writeSources({ head, views: page }));
      }
    },
    onViews: (listen) => void viewListeners.push(listen),
    get reached() {
      return listener.receivedPlaces.reached;
    },
    reachedIn: (epoch) => listener.receivedPlaces.reachedIn(epoch),
    get isWorking() {
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
    warnings: () => droppedPairs.warnings(),
  };
}
