import { timingSafeEqual } from "node:crypto";
import type { DeliveryResult } from "@propgate/server";
import { fieldsOf } from "../read-arguments.ts";
import type { DeliverySender } from "./delivery-sender.ts";
import { eventError } from "./event-errors.ts";

/** A receiver, and the subscription for which it is called. */
export interface Callback {
  readonly id: string;
  readonly url: string;
  /** The secrets that sign a delivery, the newest first. */
  readonly secrets: readonly string[];
}

/** The words of the MCP draft for a failed delivery. They reveal no content of the receiver's answer. */
type FailureReason =
  | "connection_refused"
  | "timeout"
  | "tls_error"
  | "http_4xx"
  | "http_5xx"
  | "challenge_failed";

/** Sends one body. `id` is the id of the event, or of a message that is not an event. */
export function sendToCallback(
  post: DeliverySender,
  { id: subscriptionId, url, secrets }: Callback,
  { id, body }: { readonly id: string; readonly body: object },
): Promise<DeliveryResult> {
  const headers = { "x-mcp-subscription-id": subscriptionId };
  return post.send({ url, id, body: JSON.stringify(body), secrets, sign: null, headers });
}

/** Sends a message that is not an event, such as a challenge, with a random id. */
export function sendCallbackMessage(
  post: DeliverySender,
  callback: Callback,
  message: { readonly type: "verification" | "terminated" } & Readonly<Record<string, unknown>>,
): Promise<DeliveryResult> {
  const id = `msg_${message.type}_${post.drawId()}`;
  return sendToCallback(post, callback, { id, body: message });
}

/**
 * Sends a challenge that the receiver has to repeat, so that events only go to a receiver that has agreed to them.
 * Throws when the receiver does not repeat it.
 */
export async function verifyCallback(post: DeliverySender, callback: Callback): Promise<void> {
  const challenge = post.drawId();
  const result = await sendCallbackMessage(post, callback, { type: "verification", challenge });
  if (result.error === "address") {
    const text = "'delivery.url' leads to an address that may not be called";
    throw eventError("InvalidParams", text);
  }
  const reason = failureReason(result) ?? (isEchoed(result, challenge) ? null : "challenge_failed");
  if (reason === null) return;
  const text = `the receiver at 'delivery.url' did not confirm the subscription: ${reason}`;
  throw eventError("CallbackEndpointError", text, { reason });
}

function isEchoed({ answer }: DeliveryResult, challenge: string): boolean {
  try {
    const echo = Buffer.from(String(fieldsOf(JSON.parse(answer ?? "")).challenge));
    const sent = Buffer.from(challenge);
    return echo.length === sent.length && timingSafeEqual(echo, sent);
  } catch {
    return false;
  }
}

/** Why a delivery failed; null for a delivery that the receiver accepted. */
export function failureReason({ status, error }: DeliveryResult): FailureReason | null {
  if (status !== null) {
    if (status >= 200 && status < 300) return null;
    return status >= 500 ? "http_5xx" : "http_4xx";
  }
  if (error === "timeout") return "timeout";
  return error === "tls" ? "tls_error" : "connection_refused";
}
