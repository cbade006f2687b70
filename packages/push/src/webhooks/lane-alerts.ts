import { wireJson } from "@propgate/base";
import { isAlertType } from "@propgate/contract";
import type { AlertFilter, NumberedAlert } from "../storage/alert-lines.ts";
import type { StoredEndpoint } from "../storage/endpoint-store.ts";
import type { AlertLane } from "../storage/lane-store.ts";
import type { LaneDatabase } from "../storage/webhook-stores.ts";
import { alertSentence } from "./alert-sentence.ts";
import type { NextInLane } from "./lane-events.ts";
import type { Sendable } from "./sentence-body.ts";

/** An owner's endpoint is of one account, and also gets the alerts that concern the person. */
function alertFilter({ id, ownerId, accountId, programId, types }: StoredEndpoint): AlertFilter {
  return {
    endpointId: id,
    types: types?.filter(isAlertType) ?? [],
    accountId,
    hasThoseWithoutAccount: ownerId !== null,
    programId,
  };
}

/** Finds the next alert of a lane. @rule D9.webhookAlerts decides */
export async function nextAlert(
  { alerts }: Pick<LaneDatabase, "alerts">,
  lane: AlertLane,
  endpoint: StoredEndpoint,
): Promise<NextInLane> {
  const filter = alertFilter(endpoint);
  const alert = await alerts.next(lane.ownerId, lane.deliveredSequence, filter);
  if (alert === null) {
    return { event: null, sequence: Math.max(lane.deliveredSequence, lane.version) };
  }
  const range = { from: lane.beginsSequence, to: lane.deliveredSequence };
  const previous = lane.isPreviousKnown
    ? lane.previousSequence
    : await alerts.lastNumber(lane.ownerId, range, filter);
  return { ...webhookAlert(alert, previous), sequence: alert.number, previous };
}

/** One alert as a webhook carries it, outside the lanes; null when the endpoint leaves it out. */
export async function oneAlert(
  { alerts, lanes }: Pick<LaneDatabase, "alerts" | "lanes">,
  alertId: string,
  endpoint: StoredEndpoint,
): Promise<Sendable | null> {
  const filter = alertFilter(endpoint);
  const alert = await alerts.find(alertId, filter);
  if (alert === null) return null;
  const lane = await lanes.ofAlerts(endpoint.id, alert.ownerId);
  if (lane === null) return null;
  const range = { from: lane.beginsSequence, to: alert.number - 1 };
  return webhookAlert(alert, await alerts.lastNumber(alert.ownerId, range, filter));
}

function webhookAlert(alert: NumberedAlert, previous: number | null): Sendable {
  const { id, number, type, atMs, ownerId, accountId, externalId, data } = alert;
  const of = { accountId, ownerId, externalId, previous };
  return {
    event: { id },
    body: wireJson({
      type,
      timestamp: new Date(atMs).toISOString(),
      data: { id, sequence: null, number, type, atMs, data, ...of },
    }),
    sentence: () => alertSentence(alert),
    account: externalId ?? accountId ?? ownerId,
  };
}
