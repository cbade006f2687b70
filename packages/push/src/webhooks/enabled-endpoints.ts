import type { Clock, Log } from "@propgate/base";
import type { EndpointStore, StoredEndpoint } from "@propgate/ledger";

/** The endpoints that get events, as they were last read. */
export interface EnabledEndpoints {
  readonly all: readonly StoredEndpoint[];
  /** Undefined for one that is disabled or deleted. */
  readonly find: (endpointId: string) => StoredEndpoint | undefined;
  readonly read: () => Promise<void>;
  /** Disables one whose receiver is gone. */
  disable(endpointId: string): Promise<void>;
}

export function createEnabledEndpoints({
  endpoints,
  clock,
  log,
}: {
  readonly endpoints: Pick<EndpointStore, "enabled" | "disable">;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}): EnabledEndpoints {
  let byId: ReadonlyMap<string, StoredEndpoint> = new Map();
  const read = async (): Promise<void> => {
    byId = new Map((await endpoints.enabled()).map((one) => [one.id, one]));
  };
  return {
    get all() {
      return [...byId.values()];
    },
    find: (endpointId) => byId.get(endpointId),
    read,
    async disable(endpointId) {
      const isNews = await endpoints.disable(endpointId, "gone", clock.now());
      if (isNews) log.warn({ webhook: endpointId }, "a webhook's receiver is gone; it is disabled");
      await read();
    },
  };
}
