import type { EvidenceKeys, SecretBox } from "@propgate/access";
import type { Chance, Clock, Log } from "@propgate/base";
import { type Instruments, type UnixMs, unixMs } from "@propgate/core";
import type { DeliveryResult, WebhookSender } from "../delivery/webhook-sender.ts";
import type { Attempt } from "../storage/attempt-store.ts";
import type { StoredEndpoint } from "../storage/endpoint-store.ts";
import type { Lane } from "../storage/lane-store.ts";
import type { LaneDatabase } from "../storage/webhook-stores.ts";
import { type AttemptConsequence, judgeAttempt } from "./attempt-consequence.ts";
import { findNextAlert } from "./lane-alerts.ts";
import { findNextEvent, laneFilter, type NextInLane } from "./lane-events.ts";
import { openEndpoint } from "./sealed-endpoint.ts";
import { deliveryBody, type Sendable } from "./sentence-body.ts";

export interface LaneDeliveryOptions {
  /** Chooses the sender with the address rules of the endpoint. */
  readonly senderOf: (endpoint: StoredEndpoint) => Pick<WebhookSender, "send">;
  /** The instruments, from which the sentences about events take the names and ticks of pairs. */
  readonly instruments: Instruments;
  readonly box: Pick<SecretBox, "open">;
  /** The installation's key, which signs for receivers that verify without a secret. */
  readonly evidence: Pick<EvidenceKeys, "sign">;
  /** The clock for the times of attempts. The waits of the retry schedule are added to its time. */
  readonly clock: Clock;
  readonly chance: Pick<Chance, "bytes">;
  readonly log: Pick<Log, "warn">;
}

/** Sends the events and alerts of lanes, one at a time, and stores the progress of each lane. */
export interface LaneDelivery {
  /**
   * Sends the next event or alert of a lane and stores the result. Returns the lane after an accepted event; null when
   * the lane has no further event to send, when the attempt failed, and when the result does not count because the lane
   * has changed or the service stops.
   */
  sendNext(
    part: LaneDatabase,
    at: {
      readonly lane: Lane;
      readonly endpoint: StoredEndpoint;
      /** Disables an endpoint whose receiver is gone. */
      readonly disable: (endpoint: StoredEndpoint) => Promise<void>;
      /** True once the service cuts its connections. An attempt that then gets no answer does not count. */
      readonly isStopped: () => boolean;
    },
  ): Promise<Lane | null>;
  /** True when the last attempt at this endpoint got no answer. */
  readonly isSilent: (endpointId: string) => boolean;
}

export function createLaneDelivery(options: LaneDeliveryOptions): LaneDelivery {
  const { clock, log } = options;
  const silent = new Set<string>();
  const noteAnswer = (endpointId: string, { status }: DeliveryResult): void => {
    if (status === null) silent.add(endpointId);
    else silent.delete(endpointId);
  };
  return {
    isSilent: (endpointId) => silent.has(endpointId),
    async sendNext(part, { lane, endpoint, disable, isStopped }) {
      const next = await findNextOf(part, lane, endpoint);
      if (next.sequence === lane.deliveredSequence) return null;
      if (next.event === null) {
        await part.lanes.advance(lane, { ...lane, deliveredSequence: next.sequence }, null);
        return null;
      }
      const atMs = clock.now();
      const result = await sendTo(options, endpoint, next);
      if (isStopped() && result.status === null) return null;
      noteAnswer(endpoint.id, result);
      const delivery = { lane, endpoint, next };
      const after = judgeAttempt(result, lane.attempts + 1, options.chance);
      const to = laneAfter(delivery, after, { lastStatus: result.status, nowMs: clock.now() });
      const attempt = attemptOf(delivery, { atMs, result });
      const { sequence, hash } = next;
      const made = { attempt, sequence, hash, endpointOwner: endpoint.ownerId };
      const isStored = await part.lanes.advance(lane, to, made);
      if (!isStored) return null;
      if (to.parkedAtMs !== null) {
        const about = { webhook: endpoint.id, accountId: lane.accountId, ownerId: lane.ownerId };
        log.warn(about, "a webhook's lane is parked after its last attempt");
      }
      if (after.is === "gone") await disable(endpoint);
      return after.is === "taken" ? to : null;
    },
  };
}

function findNextOf(part: LaneDatabase, lane: Lane, endpoint: StoredEndpoint): Promise<NextInLane> {
  return lane.accountId === null
    ? findNextAlert(part, lane, endpoint)
    : findNextEvent(part.lines, lane, laneFilter(endpoint));
}

/** An event or alert that is being delivered, with its lane and its endpoint. */
interface Delivery {
  readonly lane: Lane;
  readonly endpoint: StoredEndpoint;
  readonly next: Extract<NextInLane, { readonly body: string }>;
}

/**
 * Sends one signed body. When the master key does not open the endpoint's address or secret, the result is a failed
 * attempt.
 */
export async function sendTo(
  {
    box,
    evidence,
    senderOf,
    instruments,
    clock,
  }: Pick<LaneDeliveryOptions, "box" | "evidence" | "senderOf" | "instruments" | "clock">,
  endpoint: StoredEndpoint,
  sendable: Sendable,
): Promise<DeliveryResult> {
  const opened = openEndpoint(box, endpoint, clock.now());
  if (opened === null) return UNOPENED_RESULT;
  const body = deliveryBody(endpoint, opened.url, sendable, instruments);
  const sign = endpoint.signatures.includes("v1a")
    ? async (bytes: Uint8Array) => (await evidence.sign(bytes)).value
    : null;
  return senderOf(endpoint).send({ ...opened, id: sendable.event.id, body, sign });
}

/** The result of an attempt at an endpoint that the master key does not open. */
const UNOPENED_RESULT: DeliveryResult = {
  status: null,
  latencyMs: 0,
  answer: "The master key does not open the address or the secret of this webhook.",
  error: "address",
  retryAfterMs: null,
};

function attemptOf(
  { lane, endpoint, next }: Delivery,
  { atMs, result }: { readonly atMs: UnixMs; readonly result: DeliveryResult },
): Attempt {
  const { retryAfterMs: _, ...seen } = result;
  const of = { endpointId: endpoint.id, accountId: lane.accountId, eventId: next.event.id };
  return { ...of, atMs, attempt: lane.attempts + 1, ...seen };
}

/**
 * The lane as it is stored after an attempt: with its progress, its number of attempts and the time of its next
 * attempt.
 */
function laneAfter(
  { lane, next }: Delivery,
  after: AttemptConsequence,
  { lastStatus, nowMs }: Pick<Lane, "lastStatus"> & { readonly nowMs: UnixMs },
): Lane {
  const { sequence, previous } = next;
  const known = { ...lane, isPreviousKnown: true, previousSequence: previous, lastStatus };
  const rested = { attempts: 0, nextAtMs: unixMs(0) };
  const attempts = lane.attempts + 1;
  switch (after.is) {
    case "taken":
      return { ...known, ...rested, deliveredSequence: sequence, previousSequence: sequence };
    case "gone":
      // The endpoint gets disabled. When it is enabled again, the attempts restart from the first delay.
      return { ...known, ...rested };
    case "ended":
      return { ...known, attempts, parkedAtMs: nowMs };
    case "again":
      return { ...known, attempts, nextAtMs: unixMs(nowMs + after.waitMs) };
  }
}
