import type { ConnectionHealth, LiveSource } from "./live-source.ts";

/** The health of a source that does not run on this node. */
const STOPPED: ConnectionHealth = {
  state: "down",
  reason: "another node runs the price sources",
  reconnects: 0,
  unreadable: 0,
};

/**
 * Makes a source that can be started again after a stop. Each start after the first uses a new source from `reopen`;
 * `first` must not be started yet.
 */
export function createRestartableSource(
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
