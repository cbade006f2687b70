import { wireJson } from "@propgate/base";
import { isAlertType } from "@propgate/contract";
import type { AlertFilter, NumberedAlert } from "../storage/alert-lines.ts";
import type { StoredEndpoint } from "../storage/endpoint-store.ts";
import type { AlertLane } from "../storage/lane-store.ts";
import type { LaneDatabase } from "../storage/webhook-stores.ts";
import { alertSentence } from "./alert-sentence.ts";
import type { NextInLane } from "./lane-events.ts";
import type { Sendable } from "./sentence-body.ts";

/**
 * The filter of the alerts that an endpoint gets, none of which is about the endpoint itself. An owner's endpoint
 * belongs to one account, and also gets the owner's alerts that concern no account. @rule D9.webhookAlerts
 */
function alertFilter({ id, ownerId, accountId, programId, types }: StoredEndpoint): AlertFilter {
  return {
    endpointId: id,
    types: types?.filter(isAlertType) ?? [],
    accountId,
    includesAccountless: ownerId !== null,
    programId,
  };
}

/**
 * Finds the next alert of a lane of alerts that the endpoint gets, in the order of the alerts' numbers. When there is
 * none, it returns the number up to which there is none. @rule D9.webhookAlerts decides
 */
export async function findNextAlert(
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
  return { ...webhookAlert(alert, previous), sequence: alert.number, hash: null, previous };
}

/**
 * One alert in the form in which a webhook sends it, outside the lanes. Null when the endpoint does not get the alert,
 * or has no lane for its owner.
 */
export async function findAlert(
  { alerts, lanes }: Pick<LaneDatabase, "alerts" | "lanes">,
  alertId: string,
  endpoint: StoredEndpoint,
): Promise<Sendable | null> {
  const filter = alertFilter(endpoint);
  const alert = await alerts.find(alertId, filter);
  if (alert === null) return null;
  const lane = await lanes.findByAlertOwner(endpoint.id, alert.ownerId);
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
