import type { Clock, Log } from "@propgate/base";
import type { EnabledEndpoint, EndpointStore, StoredEndpoint } from "@propgate/ledger";

/** The endpoints that get events, as they were last read. */
export interface EnabledEndpoints {
  readonly all: readonly StoredEndpoint[];
  /** Another text after people have changed an endpoint or moved its lanes. */
  readonly revision: string;
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
  let byId: ReadonlyMap<string, EnabledEndpoint> = new Map();
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
    async disable(endpointId) {
      const isNews = await endpoints.disable(endpointId, "gone", clock.now());
      if (isNews) log.warn({ webhook: endpointId }, "a webhook's receiver is gone; it is disabled");
      await read();
    },
  };
}
