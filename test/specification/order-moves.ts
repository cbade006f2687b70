import { isRecord } from "@propgate/contract";
import { dataOf } from "./eight-states.ts";
import type { ServiceUnderTest } from "./service-under-test.ts";

/** The states that an order of one kind moves between, in the words of section 3. */
export interface OrderMove {
  /** The state before the order. */
  readonly from: "(none)" | "resting" | "open positions";
  /**
   * The state after the order: `filled`, `resting`, `resting (edited)`, `cancelled` or `closed`. Null for anything
   * else.
   */
  readonly to: string | null;
  /** `order.filled` in the answer; null when `order` is null. */
  readonly filled: boolean | null;
  /** `order` in the answer; null when the answer has none. */
  readonly order: Readonly<Record<string, unknown>> | null;
  readonly orderUuid: string;
  readonly orderJson: unknown;
}

export type OrderMoves = Readonly<Record<string, OrderMove>>;

const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };
const LIMIT = { ...MARKET, execution_type: "LIMIT", limit_price: 45_000 };

/** Places one order of each kind on an account of its own, and finds the state of each afterwards. */
export async function moveOrders(service: ServiceUnderTest): Promise<OrderMoves> {
  const { harness } = service;
  await harness.quote("BTCUSD", 50_000, 50_000);
  const signer = await service.newSigner();
  const read = async (path: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const data = dataOf(await harness.get(path, { signer }));
    return Array.isArray(data) ? data.filter(isRecord) : [];
  };
  const move = async (from: OrderMove["from"], trade: object): Promise<OrderMove> => {
    const before = new Set((await read("orders")).map(({ orderUuid }) => orderUuid));
    const data = dataOf(await service.order(trade, { signer }));
    if (!isRecord(data)) throw new Error("an order's answer is an object");
    const order = isRecord(data.order) ? data.order : null;
    const orderUuid = String(data.order_uuid);
    const isListed = (await read("orders")).some((one) => one.orderUuid === orderUuid);
    const isOpen = (await read("positions")).length > 0;
    const isClosed = !isOpen && (await read("trades")).length > 0;
    const filled = typeof order?.filled === "boolean" ? order.filled : null;
    const to = stateAfter({ filled, isListed, isOpen, isClosed, wasListed: before.has(orderUuid) });
    return { from, to, filled, order, orderUuid, orderJson: data.order_json };
  };
  // The pair's cap is 1.5 times the balance.
  const market = await move("(none)", { ...MARKET, leverage: 2 });
  const limit = await move("(none)", {
    ...LIMIT,
    order_type: "SHORT",
    quantity: 0.1,
    limit_price: 55_000,
  });
  const order_uuid = limit.orderUuid;
  const edit = { ...LIMIT, execution_type: "LIMIT_EDIT", order_type: "SHORT", quantity: 0.1 };
  return {
    MARKET: market,
    LIMIT: limit,
    STOP_LIMIT: await move("(none)", {
      ...LIMIT,
      execution_type: "STOP_LIMIT",
      order_type: "SHORT",
      value: 1_000,
      stop_price: 51_000,
      stop_condition: "GTE",
      limit_price: 50_500,
    }),
    BRACKET: await move("(none)", {
      execution_type: "BRACKET",
      trade_pair: "BTCUSD",
      stop_loss: 40_000,
    }),
    LIMIT_EDIT: await move("resting", { ...edit, order_uuid, limit_price: 56_000 }),
    LIMIT_CANCEL: await move("resting", { execution_type: "LIMIT_CANCEL", order_uuid }),
    FLAT_ALL: await move("open positions", { execution_type: "FLAT_ALL" }),
  };
}

/** The state of an order in the words of section 3, from its answer and from what the account lists afterwards. */
function stateAfter(order: {
  readonly filled: boolean | null;
  readonly wasListed: boolean;
  readonly isListed: boolean;
  readonly isOpen: boolean;
  readonly isClosed: boolean;
}): string | null {
  const { filled, wasListed, isListed, isOpen, isClosed } = order;
  if (filled === true) return isOpen ? "filled" : null;
  if (filled === false && isListed) return wasListed ? "resting (edited)" : "resting";
  if (filled === null && wasListed) return isListed ? null : "cancelled";
  return filled === null && isClosed ? "closed" : null;
}
