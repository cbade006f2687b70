import {
  accountId,
  type Event,
  type OrderUuid,
  orderUuid,
  type PairId,
  price,
} from "@propgate/core";
import { createMarketLoop, type MarketLoop } from "../../packages/market/src/prices/market-loop.ts";
import type { NumberedQuote } from "../../packages/market/src/prices/quotes/numbered-quote.ts";
import { TEST_OWNER, TEST_TERMS } from "../../packages/server/src/testing/counting-decider.ts";
import { createMemoryExecutor } from "../../packages/server/src/testing/memory-executor.ts";
import type { RandomDraw } from "./faulty-venue.ts";

/** Limit orders on the real trading network. An order must fill exactly when an accepted quote reaches its price. */
export interface FeedOrders {
  readonly loop: MarketLoop;
  accepted(quote: NumberedQuote): void;
  /** Places one limit order below the pair's ask. */
  place(pair: PairId, ask: number, draw: RandomDraw): Promise<void>;
  /** Waits for every settlement and compares the fills with the quotes. Returns the differences. */
  check(): Promise<readonly string[]>;
  readonly filled: number;
}

interface WaitingOrder {
  readonly pair: PairId;
  readonly at: number;
  isReached: boolean;
}

const DEPTHS = 400;
const DEPTH_STEP = 0.000_1;

/** Opens an account whose limit orders a market loop settles. `round` makes the id of the account unique. */
export async function createFeedOrders(
  options: Pick<
    Parameters<typeof createMarketLoop>[0],
    "board" | "intake" | "instruments" | "clock"
  >,
  round: number,
): Promise<FeedOrders> {
  const { board, instruments, clock } = options;
  const executor = createMemoryExecutor({ clock, quotes: board.quotes, instruments });
  const faults: unknown[] = [];
  const loop = createMarketLoop({
    ...options,
    executor,
    source: "feeds",
    onFault: (cause) => void faults.push(cause),
  });
  const id = accountId(`00000000-0000-4000-8000-${String(round).padStart(12, "0")}`);
  await executor.send(id, {
    type: "openAccount",
    accountId: id,
    ownerId: TEST_OWNER,
    terms: TEST_TERMS,
    provisioned: true,
  });
  const armed = new Map<OrderUuid, WaitingOrder>();
  let [placed, seen, filled] = [0, 0, 0];

  return {
    loop,
    accepted({ pair, ask }) {
      for (const order of armed.values()) {
        if (order.pair === pair && ask <= order.at) order.isReached = true;
      }
    },
    async place(pair, ask, draw) {
      placed += 1;
      const uuid = orderUuid(`00000000-0000-4000-8001-${String(placed).padStart(12, "0")}`);
      const at = Math.round(ask * (1 - (1 + draw.below(DEPTHS)) * DEPTH_STEP) * 100) / 100;
      const order: WaitingOrder = { pair, at, isReached: false };
      const execution = await executor.send(id, {
        type: "placeLimit",
        reduceOnly: false,
        orderUuid: uuid,
        pair,
        direction: "long",
        size: { kind: "quantity", lots: 1 },
        limitPrice: price(at),
        legs: [],
      });
      if (execution.ok) armed.set(uuid, order);
    },
    async check() {
      await loop.whenSettled();
      const events = executor.events.slice(seen);
      seen = executor.events.length;
      const done = new Set(events.flatMap((event) => filledUuidOf(event) ?? []));
      const broken = faults.splice(0).map((cause) => `a settlement failed: ${String(cause)}`);
      for (const [uuid, order] of armed) {
        const isFilled = done.has(uuid);
        if (isFilled !== order.isReached) {
          broken.push(`${isFilled ? "filled" : "not filled"}: ${JSON.stringify(order)}`);
        }
        if (isFilled || order.isReached) armed.delete(uuid);
      }
      filled += done.size;
      return broken;
    },
    get filled() {
      return filled;
    },
  };
}

function filledUuidOf(event: Event): OrderUuid | null {
  return event.type === "orderFilled" ? event.orderUuid : null;
}
