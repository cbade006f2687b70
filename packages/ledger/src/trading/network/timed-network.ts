import type { Timer } from "@propgate/base";
import type { Placement, PreviewReading, PromptReading, TradingNetwork } from "./port.ts";

/** How long to wait for the network, and the timer that measures it. */
export interface CallTimeout {
  readonly timer: Timer;
  /** How long the network may take for one call. */
  readonly timeoutMs: number;
}

const UNREACHABLE = { ok: false, error: "unreachable" } as const;

/**
 * The same network with a timeout on every call that does not answer from memory. A reading that is late counts as an
 * unreachable network, and late trades as an error of the trade history. An order that is late may still have been
 * carried out; a later read shows whether it was. @rule S7.R1 S7.502 D5.unknownFate
 */
export function withTimeouts(network: TradingNetwork, timeout: CallTimeout): TradingNetwork {
  const inTime = <Value>(answer: Promise<Value>, late: Value): Promise<Value> =>
    answerInTime(timeout, answer, late);
  const read = <Value>(reading: PromptReading<Value>): PromptReading<Value> =>
    reading instanceof Promise ? inTime(reading, UNREACHABLE) : reading;
  return {
    account: (at) => inTime(network.account(at), UNREACHABLE),
    positions: (at) => read(network.positions(at)),
    pendingOrders: (at) => read(network.pendingOrders(at)),
    trades: (at, page) =>
      inTime(network.trades(at, page), {
        ok: false,
        error: "upstream",
        message: "the trade history does not answer",
      }),
    payouts: (at, page) => inTime(network.payouts(at, page), UNREACHABLE),
    market: (at) => read(network.market(at)),
    preview: (at, command) => inTime<PreviewReading>(network.preview(at, command), UNREACHABLE),
    carryOut: (accountId, command, origin) =>
      inTime<Placement>(network.carryOut(accountId, command, origin), {
        ok: false,
        error: "unknownFate",
      }),
  };
}

/** The answer, or `late` when it does not come in time. A late answer or failure is ignored. */
function answerInTime<Value>(
  { timer, timeoutMs }: CallTimeout,
  answer: Promise<Value>,
  late: Value,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = timer.after(timeoutMs, () => resolve(late));
    answer.then(resolve, reject).finally(cancel);
  });
}
