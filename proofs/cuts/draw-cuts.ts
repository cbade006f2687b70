import type { OrderRequest } from "@propgate/sdk";
import type { Chance } from "../../packages/base/src/random.ts";
import type { ByteCuttingProxy, PlannedCut, TrafficDirection } from "./byte-cutting-proxy.ts";

/** The random choices of a run. The same seed gives the same choices. */
export interface RunChoices {
  nonce(): string;
  order(): OrderRequest;
  /** One to three cuts of an order that passes this many bytes. Later ones can cut the client's next requests. */
  cuts(size: ByteCuttingProxy["passedBytes"]): readonly PlannedCut[];
}

const LATEST_MS = 60;
const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" } as const;
const LIMIT = { execution_type: "LIMIT", trade_pair: "BTCUSD", order_type: "LONG" } as const;

/** The choices of a run from its random bytes. */
export function createRunChoices(chance: Chance): RunChoices {
  /** An integer of at least 0 and below `limit`. */
  const below = (limit: number): number =>
    Buffer.from(chance.bytes(4)).readUInt32BE() % Math.max(1, limit);
  const oneIn = (count: number): boolean => below(count) === 0;
  const cut = (size: ByteCuttingProxy["passedBytes"]): PlannedCut => {
    const direction: TrafficDirection = oneIn(2) ? "toService" : "toClient";
    const restAfterMs = oneIn(2) ? below(LATEST_MS) : null;
    return { direction, afterBytes: below(size[direction]), restAfterMs };
  };
  return {
    nonce: () => Buffer.from(chance.bytes(16)).toString("hex"),
    order() {
      const kind = below(10);
      if (kind < 6) return { trade: { ...MARKET, value: 20 } };
      if (kind < 8) return { trade: { ...LIMIT, limit_price: 40_000 + below(5000), value: 20 } };
      if (kind < 9) return { trade: { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" } };
      return { trade: { ...MARKET, trade_pair: "NOPEUSD", value: 20 } };
    },
    cuts(size) {
      const first = cut(size);
      const more = oneIn(4) ? [cut(size)] : [];
      return oneIn(16) ? [first, ...more, cut(size)] : [first, ...more];
    },
  };
}
