import type { ListItem, OperatorAnswer, Webhook } from "@propgate/contract";
import { cellText, timeCell } from "../../operator-client.ts";
import { nameValueLines, tableLines } from "../../output.ts";

export function webhooksTable(items: readonly Webhook[]): readonly string[] {
  if (items.length === 0) return ["There is no webhook."];
  const rows = items.map((one) => [
    one.id,
    cellText(one.url),
    cellText(one.label),
    stateOf(one),
    cellText(one.accountId),
  ]);
  return tableLines(["id", "address", "label", "state", "account"], rows);
}

export function webhookLines(webhook: Webhook): readonly string[] {
  return nameValueLines([
    ["webhook", webhook.id],
    ["address", cellText(webhook.url)],
    ["label", cellText(webhook.label)],
    ["types", webhook.types === null ? "all events" : webhook.types.join(", ")],
    ["account", webhook.accountId ?? "all"],
    ["program", webhook.programId ?? "all"],
    ["signatures", webhook.signatures.join(", ")],
    ["state", stateOf(webhook)],
  ]);
}

function stateOf({ state, stateReason, parkedLanes }: Webhook): string {
  if (state === "parked") return `parked (${parkedLanes} lanes)`;
  return stateReason === null ? state : `${state} (${stateReason})`;
}

/** The lines about a new webhook, with its secret. */
export function createdWebhookLines(made: OperatorAnswer<"webhooks.create">): readonly string[] {
  return [...webhookLines(made), "", "The secret is shown only once:", `  ${made.secret}`];
}

/** The lines about a test delivery of a webhook. */
export function attemptLines(attempt: OperatorAnswer<"webhooks.test">): readonly string[] {
  return nameValueLines([
    ["result", cellText(attempt.status ?? attempt.error)],
    ["took", `${attempt.latencyMs} ms`],
    ["answer", cellText(attempt.answer)],
  ]);
}

/** The table of a webhook's lanes. */
export function lanesTable(items: readonly ListItem<"webhooks.lanes">[]): readonly string[] {
  const rows = items.map((lane) => [
    lane.accountId ?? `alerts of ${lane.ownerId ?? "the operator"}`,
    lane.state,
    String(lane.deliveredSequence),
    String(lane.behind),
    String(lane.attempts),
    timeCell(lane.nextAttemptMs),
    cellText(lane.lastStatus),
  ]);
  return tableLines(
    ["account or alerts", "state", "delivered", "behind", "attempts", "next try", "status"],
    rows,
  );
}

export function deliveriesTable(
  items: readonly ListItem<"webhooks.deliveries">[],
): readonly string[] {
  const rows = items.map((one) => [
    timeCell(one.atMs),
    one.eventId,
    String(one.attempt),
    cellText(one.status ?? one.error),
    `${one.latencyMs} ms`,
  ]);
  return tableLines(["at", "event", "attempt", "result", "took"], rows);
}
