import type { PairId } from "@propgate/core";
import type { LiveFeed, PairView } from "./live-feed.ts";

/** Transfers the feed's view of its sources to the other nodes. */
export interface SourceViews {
  /** Sends the present view to the other nodes. Only the node that is the feed sends. */
  send(views: readonly PairView[]): void;
  /** Calls `listener` with each view that the feed sends. */
  onViews(listener: (views: readonly PairView[]) => void): void;
  /** True while no message of the feed can arrive. */
  readonly isCut: boolean;
}

/**
 * The number of ticks from one message with all pairs to the next; four ticks take a second. A change of doubt is sent
 * immediately.
 */
const TICKS = 4;

/**
 * The live feed of one node among several. Only the sources of the node that is the feed run, and it sends its view of
 * them to the other nodes. So a pair whose last quote is in doubt is in doubt on every node, and every node compares
 * the same prices before an operator's choice. @rule D13.judges D13.choiceEffect D13.silentChoice
 */
export function createSharedFeed(feed: LiveFeed, views: SourceViews): LiveFeed {
  const listeners: ((pair: PairId, isHeld: boolean) => void)[] = [];
  const doubtful = new Set<PairId>();
  let received: ReadonlyMap<PairId, PairView> = new Map();
  let isRunning = false;
  let ticks = 0;

  const note = (pair: PairId, isDoubtful: boolean): void => {
    if (doubtful.has(pair) === isDoubtful) return;
    if (isDoubtful) doubtful.add(pair);
    else doubtful.delete(pair);
    for (const listener of listeners) listener(pair, isDoubtful);
  };
  const noteAll = (pairs: readonly PairView[]): void => {
    for (const { pair, isDoubtful } of pairs) note(pair, isDoubtful);
  };
  feed.onDoubt((pair, isHeld) => {
    // The sources of a feed that has stopped do not run, so its doubts do not count.
    if (!isRunning) return;
    note(pair, isHeld);
    views.send(feed.pairs().filter((view) => view.pair === pair));
  });
  views.onViews((sent) => {
    if (isRunning) return;
    received = new Map([...received, ...sent.map((view) => [view.pair, view] as const)]);
    noteAll(sent);
  });

  return {
    async start() {
      isRunning = true;
      await feed.start();
      // The node that was the feed before may have had other doubts. A chosen source is silent until its first quote
      // here.
      feed.tick();
      noteAll(feed.pairs());
    },
    async stop() {
      isRunning = false;
      received = new Map();
      await feed.stop();
    },
    tick() {
      feed.tick();
      ticks += 1;
      if (isRunning && ticks % TICKS === 0) views.send(feed.pairs());
    },
    applyChoice: (pair) => feed.applyChoice(pair),
    onDoubt: (listener) => void listeners.push(listener),
    pairs() {
      const own = feed.pairs();
      return isRunning || views.isCut ? own : own.map((view) => received.get(view.pair) ?? view);
    },
  };
}
