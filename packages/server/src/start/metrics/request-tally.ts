import type { BatchObserver, Stopwatch } from "@propgate/base";
import {
  type ErrorName,
  SIGNED_ENDPOINT_NAMES,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
} from "@propgate/contract";
import type { RequestObserver, RequestPart, RequestTimer } from "../../api/request-observer.ts";
import { createHistogramTally, type HistogramTally, SECONDS_BOUNDS } from "./histogram-tally.ts";
import type { TallySeries } from "./tallied-histogram.ts";

/** A value of a metric, with the labels of its series. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Counts requests in plain numbers, which a scrape reads. */
export interface RequestTally {
  readonly observer: RequestObserver;
  requests(): readonly Sample[];
  rejections(): readonly Sample[];
  durations(): readonly TallySeries[];
  parts(): readonly TallySeries[];
}

interface EndpointTally {
  readonly method: string;
  readonly route: string;
  /** The number of answers by the first digit of their status. */
  readonly statuses: Float64Array;
  readonly seconds: HistogramTally;
}

type PartTallies = Readonly<Record<RequestPart, HistogramTally>>;

const MS_PER_SECOND = 1_000;
const STATUS_CLASSES = 6;
/** The routes whose templates are labels. Every other route is a file of the pages or a document. */
const CALLS = /^\/(api|operator|dashboard)\/|^\/(health|ready)$/;

class RequestTiming implements RequestTimer {
  readonly #stopwatch: Stopwatch;
  readonly #endpoint: EndpointTally;
  readonly #parts: PartTallies;
  readonly #startedMs: number;
  #sinceMs: number;

  constructor(stopwatch: Stopwatch, endpoint: EndpointTally, parts: PartTallies) {
    this.#stopwatch = stopwatch;
    this.#endpoint = endpoint;
    this.#parts = parts;
    this.#startedMs = stopwatch.nowMs();
    this.#sinceMs = this.#startedMs;
  }

  ended(part: RequestPart): void {
    const nowMs = this.#stopwatch.nowMs();
    this.#parts[part].add((nowMs - this.#sinceMs) / MS_PER_SECOND);
    this.#sinceMs = nowMs;
  }

  answered(status: number): void {
    const { statuses, seconds } = this.#endpoint;
    countStatus(statuses, status);
    seconds.add((this.#stopwatch.nowMs() - this.#startedMs) / MS_PER_SECOND);
  }

  trace(): undefined {
    return undefined;
  }
}

function countStatus(statuses: Float64Array, status: number): void {
  const digit = Math.floor(status / 100);
  statuses[digit] = (statuses[digit] ?? 0) + 1;
}

export function createRequestTally(options: {
  readonly stopwatch: Stopwatch;
  readonly admissions: BatchObserver;
}): RequestTally {
  const { stopwatch } = options;
  const endpoints = endpointTallies();
  const parts: PartTallies = {
    checks: createHistogramTally(SECONDS_BOUNDS),
    admission: createHistogramTally(SECONDS_BOUNDS),
    work: createHistogramTally(SECONDS_BOUNDS),
  };
  const others = new Map<string, Omit<EndpointTally, "seconds">>();
  const rejections = new Map<ErrorName, number>();

  return {
    observer: {
      admissions: options.admissions,
      begin: (endpoint) => new RequestTiming(stopwatch, endpoints[endpoint], parts),
      rejected: (error) => void rejections.set(error, (rejections.get(error) ?? 0) + 1),
      answered({ method, route, status }) {
        const label = routeLabel(route);
        // The client alone chooses the method of a request without a route, so that method is no label.
        const known = route === null ? "any" : method;
        const name = `${known} ${label}`;
        const tally = others.get(name) ?? { method: known, route: label, statuses: noStatuses() };
        others.set(name, tally);
        countStatus(tally.statuses, status);
      },
    },
    requests: () => [...Object.values(endpoints), ...others.values()].flatMap(statusSamples),
    rejections: () => [...rejections].map(([error, value]) => ({ labels: { error }, value })),
    durations: () =>
      Object.values(endpoints).map(({ method, route, seconds }) => ({
        labels: { method, route },
        tally: seconds,
      })),
    parts: () => Object.entries(parts).map(([part, tally]) => ({ labels: { part }, tally })),
  };
}

function endpointTallies(): Readonly<Record<SignedEndpointName, EndpointTally>> {
  const tallies: Partial<Record<SignedEndpointName, EndpointTally>> = {};
  for (const name of SIGNED_ENDPOINT_NAMES) {
    const { method, path } = SIGNED_ENDPOINTS[name];
    const seconds = createHistogramTally(SECONDS_BOUNDS);
    tallies[name] = { method, route: path, statuses: noStatuses(), seconds };
  }
  if (!isComplete(tallies)) throw new Error("broken invariant: an endpoint has no tally");
  return tallies;
}

function isComplete(
  tallies: Partial<Record<SignedEndpointName, EndpointTally>>,
): tallies is Record<SignedEndpointName, EndpointTally> {
  return SIGNED_ENDPOINT_NAMES.every((name) => tallies[name] !== undefined);
}

function noStatuses(): Float64Array {
  return new Float64Array(STATUS_CLASSES);
}

function routeLabel(route: string | null): string {
  if (route === null) return "unmatched";
  return CALLS.test(route) ? route.replace(/:(\w+)/g, "{$1}") : "pages";
}

/**
 * The samples of one route by class of status. The 2xx series begins at zero, so that rates begin with the first
 * request.
 */
function statusSamples({
  method,
  route,
  statuses,
}: Omit<EndpointTally, "seconds">): readonly Sample[] {
  return [...statuses].flatMap((value, digit) =>
    value > 0 || digit === 2 ? [{ labels: { method, route, status: `${digit}xx` }, value }] : [],
  );
}
