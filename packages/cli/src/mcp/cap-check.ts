import type { OrderFields, OrderSize } from "@propgate/contract";
import { PropgateError } from "@propgate/sdk";
import { type Failure, refusedHere } from "./failure.ts";
import type { TradingCaps } from "./trading-caps.ts";

/** What opens something, or would. */
export type SizedOrder = Extract<OrderFields, { readonly size: OrderSize }>;

/** What has to be read before a size is known in USD; null: the service does not say. */
export interface OrderFigures {
  balanceUsd(): Promise<number | null>;
  /** What one lot of its pair is worth at the prices of now, or at its limit price, USD. */
  lotUsd(order: SizedOrder): Promise<number | null>;
}

export interface CapCheck {
  readonly caps: TradingCaps;
  readonly figures: OrderFigures;
}

/**
 * The cap that the order passes, null when none. What closes or cancels is never held back here. A
 * size that cannot be known in USD counts as too large.
 */
export async function capRefusal(order: OrderFields, check: CapCheck): Promise<Failure | null> {
  const opened = order.executionType === "LIMIT_EDIT" ? order.replacement : order;
  if (opened.executionType === "LIMIT_CANCEL" || opened.executionType === "FLAT_ALL") return null;
  if (opened.executionType === "MARKET" && opened.orderType === "FLAT") return null;
  const { pairs } = check.caps;
  if (!pairs.includes(opened.pair)) {
    return capped(
      `'trade_pair': ${opened.pair} is not among the pairs that may be traded`,
      `Trade ${pairs.join(", ")}, or ask the person who runs this server to add it to --pairs.`,
    );
  }
  // Legs of a position only make it smaller.
  return opened.executionType === "BRACKET" ? null : notionalRefusal(opened, check);
}

async function notionalRefusal(
  order: SizedOrder,
  { caps, figures }: CapCheck,
): Promise<Failure | null> {
  const known = await worth(order, figures);
  if (typeof known !== "number") {
    return capped(
      `'${order.size.field}': what the order is worth in USD cannot be known: ${known.unknown}`,
      "Nothing was sent. Size the order by 'value' (USD), or try again later.",
    );
  }
  if (known <= caps.maxNotionalUsd) return null;
  return capped(
    `'${order.size.field}': the order is worth ${known} USD, and at most ${caps.maxNotionalUsd} USD are allowed`,
    `Nothing was sent. Make it smaller, or ask the person who runs this server to raise --max-notional.`,
  );
}

type Worth = number | { readonly unknown: string };

/** Of the size as it was asked for: what binds it now may bind it no longer when it is filled. */
async function worth(order: SizedOrder, figures: OrderFigures): Promise<Worth> {
  const { size } = order;
  if (size.field === "value") return size.amount;
  try {
    if (size.field === "quantity") {
      const lot = await figures.lotUsd(order);
      if (lot === null) return { unknown: "the service gave no price for it" };
      return toMicros(size.amount * lot);
    }
    const balance = await figures.balanceUsd();
    if (balance === null) return { unknown: "the service gave no balance to be trusted" };
    return toMicros(size.amount * balance);
  } catch (error) {
    if (error instanceof PropgateError) return { unknown: error.message };
    throw error;
  }
}

/** USD to the sixth place: 1.1 times 100,000 is not a trifle above 110,000. */
function toMicros(usd: number): number {
  return Math.round(usd * 1_000_000) / 1_000_000;
}

function capped(error: string, fix: string): Failure {
  return refusedHere(error, { cause: "A cap of this MCP server, set where it was started.", fix });
}
