import { delay, type Timer } from "@propgate/base";
import type { DeliveryResult, WebhookSender } from "@propgate/push";
import type { FaultBoard } from "./faults.ts";

const SLOW_MS = 8_000;
/** The timeout of a delivery, after which a delivery to a receiver that never answers has failed. */
const HANG_MS = 10_000;

const FAILED = { answer: null, retryAfterMs: null };

/**
 * Wraps the sender of webhooks so that receivers fail, are slow or never answer while the fault board has that fault of
 * `webhooks`. All delays are in real time.
 */
export function withFaultyReceivers(
  sender: WebhookSender,
  board: FaultBoard,
  timer: Timer,
): WebhookSender {
  let isClosed = false;
  const faulty = async (state: "fail" | "hang"): Promise<DeliveryResult> => {
    if (state === "fail") return { ...FAILED, status: 500, latencyMs: 0, error: null };
    await delay(timer, HANG_MS);
    return { ...FAILED, status: null, latencyMs: HANG_MS, error: isClosed ? "reset" : "timeout" };
  };
  return {
    async send(request) {
      const { webhooks: state } = board.read();
      if (state === "fail" || state === "hang") return faulty(state);
      if (state === "slow") await delay(timer, SLOW_MS);
      return sender.send(request);
    },
    async close() {
      isClosed = true;
      await sender.close();
    },
  };
}
