import type { Clock, Log } from "@propgate/base";
import type { EndpointStore, StoredEndpoint } from "../storage/endpoint-store.ts";

/** The enabled endpoints, as they were last read. */
export interface EnabledEndpoints {
  readonly all: readonly StoredEndpoint[];
  /** A text that differs after an endpoint was added, changed or removed, and after people have moved its lanes. */
  readonly revision: string;
  /** The endpoint with this id; undefined when it is disabled or deleted. */
  readonly find: (endpointId: string) => StoredEndpoint | undefined;
  /** Reads the enabled endpoints again. */
  readonly read: () => Promise<void>;
  /**
   * Disables an endpoint whose receiver is gone, unless the endpoint has changed since it was read, because then it may
   * have another address.
   */
  disable(endpoint: StoredEndpoint): Promise<void>;
}

export function createEnabledEndpoints({
  endpoints,
  clock,
  log,
}: {
  readonly endpoints: Pick<EndpointStore, "listEnabled" | "disable">;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}): EnabledEndpoints {
  let byId: ReadonlyMap<string, StoredEndpoint> = new Map();
  const read = async (): Promise<void> => {
    byId = new Map((await endpoints.listEnabled()).map((one) => [one.id, one]));
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
