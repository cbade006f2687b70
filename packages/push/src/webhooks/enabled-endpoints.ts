import type { Clock, Log } from "@propgate/base";
import type { EndpointStore, StoredEndpoint } from "../storage/endpoint-store.ts";

/** The endpoints that get events, as they were last read. */
export interface EnabledEndpoints {
  readonly all: readonly StoredEndpoint[];
  /** Another text after people have changed an endpoint or moved its lanes. */
  readonly revision: string;
  /** Undefined for one that is disabled or deleted. */
  readonly find: (endpointId: string) => StoredEndpoint | undefined;
  readonly read: () => Promise<void>;
  /** Disables one whose receiver is gone, unless it has changed since it was read: it may have another address. */
  disable(endpoint: StoredEndpoint): Promise<void>;
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
    get revision() {
      return [...byId.values()].map(({ id, revision }) => `${id} ${revision}`).join();
    },
    find: (endpointId) => byId.get(endpointId),
    read,
    async disable(endpoint) {
      const isNews = await endpoints.disable(endpoint, "gone", clock.now());
      if (isNews)
        log.warn({ webhook: endpoint.id }, "a webhook's receiver is gone; it is disabled");
      await read();
    },
  };
}
