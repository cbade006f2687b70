import type { StoredEndpoint } from "../storage/endpoint-store.ts";
import type { Lane, LaneQueue } from "../storage/lane-store.ts";
import type { LaneDatabase } from "../storage/webhook-stores.ts";
import { createDeliverySlots, laneKey } from "./delivery-slots.ts";
import type { LaneDelivery } from "./lane-delivery.ts";

/** The lanes that are sending. */
export interface LanesUnderWay {
  readonly isEmpty: boolean;
  /** How many lanes have failed with an error since the start, mostly because their progress could not be stored. */
  readonly failures: number;
  /**
   * Call it before lanes are read. A lane that ends between this call and its `start` was perhaps read before its last
   * progress was stored, and would send its last event again.
   */
  beforeRead(): void;
  /** True when the lane has ended since `beforeRead`, so that it must be read again. */
  hasEnded(lane: Lane): boolean;
  /**
   * Starts to send the events or alerts of a lane. False when the endpoint of the lane is not enabled, when the lane is
   * sending already, and when there is no slot for it.
   */
  start(part: LaneDatabase, lane: Lane): boolean;
  /** Resolves when no lane is sending. */
  waitUntilEmpty(): Promise<void>;
}

/** A lane gives its slot to other lanes after this many events. */
const EVENTS_IN_A_ROW = 100;

export function createLanesUnderWay(options: {
  readonly delivery: LaneDelivery;
  /** The endpoint with this id; undefined when it is not enabled. */
  readonly enabledOf: (endpointId: string) => StoredEndpoint | undefined;
  /** Disables an endpoint whose receiver is gone. */
  readonly disable: (endpoint: StoredEndpoint) => Promise<void>;
  readonly mayDeliver: () => boolean;
  readonly isStopped: () => boolean;
  /** Called with the queue of a lane that has released its slot without an error. */
  readonly onEnd: (queue: LaneQueue) => void;
  /** Called when sending or storing has thrown. */
  readonly onFault: (cause: unknown, queue: LaneQueue) => void;
}): LanesUnderWay {
  const { delivery, disable, isStopped } = options;
  const slots = createDeliverySlots();
  const ended = new Set<string>();
  let failures = 0;
  const sendEvents = async (part: LaneDatabase, first: Lane): Promise<void> => {
    let lane: Lane | null = first;
    for (let sent = 0; lane !== null && sent < EVENTS_IN_A_ROW; sent += 1) {
      const endpoint = options.enabledOf(lane.endpointId);
      if (endpoint === undefined || !options.mayDeliver()) return;
      lane = await delivery.sendNext(part, { lane, endpoint, disable, isStopped });
    }
  };
  return {
    get isEmpty() {
      return slots.isEmpty;
    },
    get failures() {
      return failures;
    },
    beforeRead() {
      ended.clear();
    },
    hasEnded: (lane) => ended.has(laneKey(lane)),
    start(part, lane) {
      const endpoint = options.enabledOf(lane.endpointId);
      if (endpoint === undefined) return false;
      const free = slots.takeSlot(lane, endpoint, delivery.isSilent);
      if (free === null) return false;
      const leave = (): void => {
        ended.add(laneKey(lane));
        free();
      };
      sendEvents(part, lane).then(
        () => {
          leave();
          options.onEnd(lane);
        },
        (cause: unknown) => {
          // `onEnd` is not called after an error, because it starts the due lanes again. The same event would then be
          // sent again and again while its progress cannot be stored.
          failures += 1;
          leave();
          options.onFault(cause, lane);
        },
      );
      return true;
    },
    waitUntilEmpty: () => slots.waitUntilEmpty(),
  };
}
