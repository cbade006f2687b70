import type { Chance } from "../../packages/server/src/base/random.ts";

/** The content by which the validator's record of an order is found. Each order of a run has another one. */
export type Mark =
  | { readonly kind: "market"; readonly quantity: number }
  | { readonly kind: "limit"; readonly limitPrice: number }
  | { readonly kind: "edit"; readonly orderUuid: string; readonly limitPrice: number }
  | { readonly kind: "cancel"; readonly orderUuid: string };

export interface DrawnOrder {
  readonly trade: Readonly<Record<string, string | number>>;
  readonly mark: Mark;
}

/** The random choices of a run, which its seed determines. */
export interface Drawing {
  nonce(): string;
  /** The name of the next order's fault, one kind after the other; null for three of five. */
  fault(): string | null;
  /** `pending`: a limit order of the account that no other order has named yet; null without one. */
  order(pair: string, pending: PendingLimit | null): DrawnOrder;
}

export interface PendingLimit {
  readonly orderUuid: string;
  readonly pair: string;
}

/** Far below the market, so that a limit order never fills. */
const LOWEST_PRICE = 1;
const PRICE_STEP = 0.01;
const QUANTITY_STEP = 0.00001;
const QUANTITY = 0.01;

export function drawing(chance: Chance, faults: readonly string[]): Drawing {
  let drawn = 0;
  let faulty = 0;
  const below = (limit: number): number => Buffer.from(chance.bytes(4)).readUInt32BE() % limit;
  const nextPrice = (): number => Number((LOWEST_PRICE + drawn * PRICE_STEP).toFixed(2));
  return {
    nonce: () => Buffer.from(chance.bytes(16)).toString("hex"),
    fault() {
      if (below(5) > 1) return null;
      faulty += 1;
      return faults[faulty % faults.length] ?? null;
    },
    order(pair, pending) {
      drawn += 1;
      const entry = { trade_pair: pair, order_type: "LONG" } as const;
      const kind = below(10);
      if (pending !== null && kind < 2) {
        const { orderUuid } = pending;
        return {
          trade: { execution_type: "LIMIT_CANCEL", order_uuid: orderUuid },
          mark: { kind: "cancel", orderUuid },
        };
      }
      if (pending !== null && kind < 4) {
        const { orderUuid } = pending;
        const limitPrice = nextPrice();
        const edit = { execution_type: "LIMIT_EDIT", order_uuid: orderUuid };
        return {
          trade: {
            ...entry,
            ...edit,
            trade_pair: pending.pair,
            quantity: 1,
            limit_price: limitPrice,
          },
          mark: { kind: "edit", orderUuid, limitPrice },
        };
      }
      if (kind < 7) {
        const quantity = Number((QUANTITY + drawn * QUANTITY_STEP).toFixed(5));
        return {
          trade: { ...entry, execution_type: "MARKET", quantity },
          mark: { kind: "market", quantity },
        };
      }
      const limitPrice = nextPrice();
      return {
        trade: { ...entry, execution_type: "LIMIT", quantity: 1, limit_price: limitPrice },
        mark: { kind: "limit", limitPrice },
      };
    },
  };
}
