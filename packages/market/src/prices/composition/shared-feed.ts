import type { PairId } from "@propgate/core";
import type { LiveFeed, PairView } from "./live-feed.ts";

/** Carries the feed's view of its sources to the other nodes. */
export interface SourceViews {
  /** Sends the present view; does nothing on a node that is not the feed. */
  share(views: readonly PairView[]): void;
  /** Calls `listener` with each view that the feed sends. */
  onViews(listener: (views: readonly PairView[]) => void): void;
  /** True while nothing of the feed can arrive. */
  readonly isCut: boolean;
}

/** Ticks between two messages about all pairs to every node: a second. A doubt is sent immediately. */
const TICKS = 4;

/**
 * The live feed of a node among several. Only the feed's sources run, so it sends the other nodes its view of them: a
 * pair whose last quote is in doubt is in doubt on every node, and every node compares the same prices before an
 * operator's choice. @rule D13.judges D13.farPrice
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
  feed.onHeld((pair, isHeld) => {
    // A feed that has stopped has no sources to doubt.
    if (!isRunning) return;
    note(pair, isHeld);
    views.share(feed.pairs().filter((view) => view.pair === pair));
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
      // The feed before may have had other doubts; a source that is chosen is silent until its first quote here.
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
      if (isRunning && ticks % TICKS === 0) views.share(feed.pairs());
    },
    choose: (pair) => feed.choose(pair),
    onHeld: (listener) => void listeners.push(listener),
    pairs() {
      const own = feed.pairs();
      return isRunning || views.isCut ? own : own.map((view) => received.get(view.pair) ?? view);
    },
  };
}
