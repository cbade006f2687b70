import type { ConnectionHealth, LiveSource } from "./live-source.ts";

const STOPPED: ConnectionHealth = {
  state: "down",
  reason: "another node runs the price sources",
  reconnects: 0,
  unreadable: 0,
};

/** A source that starts again after a stop, each time as a new one. `first` is not started yet. */
export function restartableSource(
  first: LiveSource,
  reopen: () => Promise<LiveSource>,
): LiveSource {
  let next: LiveSource | null = first;
  let started: LiveSource | null = null;
  return {
    name: first.name,
    pairs: first.pairs,
    async start(sink) {
      const source = next ?? (await reopen());
      next = null;
      started = source;
      await source.start(sink);
    },
    async stop() {
      const source = started ?? next;
      started = null;
      await source?.stop();
    },
    health: (pair) => started?.health(pair) ?? STOPPED,
  };
}
