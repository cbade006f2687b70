import type { BatchObserver, TraceParent } from "@propgate/base";
import type { ErrorName, SignedEndpointName } from "@propgate/contract";

/**
 * The parts of a signed request's work. `checks`: gates 1 to 6, with the key and the body. `admission`:
 * the database admits the request, then gates 7 to 11. `work`: gate 12 and the endpoint itself.
 */
export type RequestPart = "checks" | "admission" | "work";

/** Follows the parts of one signed request's work, for metrics and traces. */
export interface RequestTimer {
  /** Called when this part of the work has ended and the next one begins. */
  ended(part: RequestPart): void;
  answered(status: number): void;
  /** The span of the current part of the work, to pass to other processes; undefined without traces. */
  trace(): TraceParent | undefined;
}

/** The data of a request that observers get. */
export interface ObservedRequest {
  readonly requestId: string;
  /** The request's message, of which only the header `traceparent` of W3C Trace Context is read. */
  readonly message: { readonly headers: Readonly<Record<string, string | string[] | undefined>> };
}

/** Observes requests for metrics and traces. Its calls are cheap and never throw. */
export interface RequestObserver {
  begin(endpoint: SignedEndpointName, request: ObservedRequest): RequestTimer;
  /** Called when a signed request was rejected with this error. */
  rejected(error: ErrorName): void;
  /** Called when a request of another route was answered; `route` is its template, null without a route. */
  answered(request: {
    readonly method: string;
    readonly route: string | null;
    readonly status: number;
  }): void;
  /** The batches of requests that the database admits together. */
  readonly admissions: BatchObserver;
}
