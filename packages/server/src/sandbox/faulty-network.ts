import { withoutStatistics } from "@propgate/core";
import type {
  AccountReading,
  PayoutsReading,
  Placement,
  PromptReading,
  TradingNetwork,
} from "@propgate/ledger";
import type { FaultBoard } from "./faults.ts";

/**
 * Wraps the network so that its answers fail while the fault board has a fault of `network`, `trades`, `stats` or
 * `orders`.
 */
export function withFaults(network: TradingNetwork, board: FaultBoard): TradingNetwork {
  const reached = <Value>(read: () => PromptReading<Value>): PromptReading<Value> =>
    board.read().network === "down" ? { ok: false, error: "unreachable" } : read();

  return {
    async account(at) {
      const reading = await reached(() => network.account(at));
      if (!reading.ok || board.read().stats === "up") return reading;
      return { ok: true, value: statisticsDown(reading.value) };
    },
    positions: (at) => reached(() => network.positions(at)),
    pendingOrders: (at) => reached(() => network.pendingOrders(at)),
    // The trade history is a separate service: it answers while the network is down. @rule S7.502
    trades: async (at, page) =>
      board.read().trades === "error"
        ? { ok: false, error: "upstream", message: "trade history unavailable" }
        : network.trades(at, page),
    async payouts(at, page) {
      const reading = await network.payouts(at, page);
      return board.read().network === "down" && reading.ok
        ? { ok: true, value: withoutEstimate(reading.value) }
        : reading;
    },
    market: (at) => reached(() => network.market(at)),
    preview: async (at, command) =>
      board.read().network === "down"
        ? { ok: false, error: "unreachable" }
        : network.preview(at, command),
    async carryOut(accountId, command, origin) {
      const lost: Placement = { ok: false, error: "unknownFate" };
      const { network: line, orders } = board.read();
      if (line === "down") return { ok: false, error: "networkDown" };
      if (orders === "hang") {
        await board.nextChange();
        return lost;
      }
      const placement = await network.carryOut(accountId, command, origin);
      return orders === "acceptThenDrop" ? lost : placement;
    },
  };
}

/** The account's figures while the statistics are down. @rule D4.stale */
function statisticsDown(reading: AccountReading): AccountReading {
  const snapshot = withoutStatistics(reading.snapshot);
  return { ...reading, snapshot, dailyReturns: [], stale: true };
}

/**
 * The payouts while the network is down. Only the estimate needs the network; records stay readable.
 * @rule S3.accrualStatus
 */
function withoutEstimate(reading: PayoutsReading): PayoutsReading {
  if (reading.accrualStatus !== "ok" || reading.accrual === null) return reading;
  const accrual = { ...reading.accrual, estimatedAmount: null };
  return { ...reading, accrualStatus: "unavailable", accrual };
}
