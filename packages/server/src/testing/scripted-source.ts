import { type PairId, price, type UnixMs } from "@propgate/core";
import type { Clock } from "../../../base/src/clock.ts";
import type {
  ConnectionHealth,
  LiveSink,
  LiveSource,
} from "../../../market/src/prices/venues/live-source.ts";

/** A live source that sends the quotes of a test. */
export interface ScriptedSource extends LiveSource {
  /**
   * Offers a quote whose sides are half a dollar below and above this middle price. It is made at the present time
   * unless another time is given, or null for a quote without such a time.
   */
  say(pair: PairId, mid: number, times?: { readonly madeAtMs?: UnixMs | null }): void;
  /** Offers a quote with exactly these sides. */
  offer(pair: PairId, sides: { readonly bid: number; readonly ask: number }): void;
  /** Sets the state of the whole source, or of one pair's connection. */
  set(state: ConnectionHealth["state"], pair?: PairId): void;
}

export function createScriptedSource(
  name: string,
  pairs: readonly PairId[],
  clock: Clock,
): ScriptedSource {
  let sink: LiveSink | null = null;
  let state: ConnectionHealth["state"] = "up";
  const ofPairs = new Map<PairId, ConnectionHealth["state"]>();
  const stateOf = (pair?: PairId): ConnectionHealth["state"] =>
    (pair === undefined ? null : ofPairs.get(pair)) ?? state;
  const send = (
    pair: PairId,
    { bid, ask }: { readonly bid: number; readonly ask: number },
    madeAtMs: UnixMs | null,
  ): void => {
    const sides = { bid: price(bid), ask: price(ask) };
    sink?.offer({ source: name, pair, ...sides, madeAtMs, receivedAtMs: clock.now() });
  };
  return {
    name,
    pairs,
    async start(given) {
      sink = given;
    },
    async stop() {
      sink = null;
    },
    health: (pair) => ({
      state: stateOf(pair),
      reason: stateOf(pair) === "down" ? "cut by the test" : null,
      reconnects: 0,
      unreadable: 0,
    }),
    say: (pair, mid, { madeAtMs = clock.now() } = {}) =>
      send(pair, { bid: mid - 0.5, ask: mid + 0.5 }, madeAtMs),
    offer: (pair, sides) => send(pair, sides, clock.now()),
    set(given, pair) {
      if (pair === undefined) state = given;
      else ofPairs.set(pair, given);
    },
  };
}
