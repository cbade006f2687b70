import type { TraceParent } from "@propgate/base";
import type { Literal } from "../python-literal.ts";

/** Why a call has no usable answer. */
export type UpstreamFailure =
  /**
   * There was no answer in time, or none at all. `wasSent` false: it is certain that no byte reached the other side.
   * `why` is for the operator, such as "connection refused", without the host.
   */
  | { readonly kind: "unreachable"; readonly wasSent: boolean; readonly why: string }
  /** An answer that cannot be read: too long, compressed, invalid, or of another form. */
  | { readonly kind: "unreadable"; readonly why: string }
  /**
   * A refusal: any status but 2xx, or `success` false where it must be true. `error` is its text, cleaned of keys and
   * hosts, or the status when it has none.
   */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly error: string;
      /** The parsed body; null when it cannot be read. */
      readonly body: Literal | null;
    };

/** The value of a call to an upstream, or why there is none. */
export type UpstreamResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: UpstreamFailure };

/** The cursors from which incremental reads continue, in the network's milliseconds; null reads everything. */
export interface DashboardCursors {
  readonly positionsMs: number | null;
  readonly ordersMs: number | null;
  readonly checkpointsMs: number | null;
  readonly dailyReturnsMs: number | null;
}

/** The validator's REST interface. Bodies are parsed, but not yet interpreted. */
export interface Validator {
  dashboard(hotkey: string, cursors: DashboardCursors): Promise<UpstreamResult<Literal>>;
  limits(hotkey: string): Promise<UpstreamResult<Literal>>;
  tradePairs(): Promise<UpstreamResult<Literal>>;
  payout(
    subaccountUuid: string,
    range: { readonly startMs: number; readonly endMs: number | null },
  ): Promise<UpstreamResult<Literal>>;
  health(): UpstreamHealth;
}

/** The entity's gateway, which takes orders. */
export interface Gateway {
  /** Makes one call of at most `timeoutMs`, which is never repeated here. `trace` is sent as header `traceparent`. */
  submit(
    body: Readonly<Record<string, Literal>>,
    timeoutMs: number,
    trace?: TraceParent,
  ): Promise<UpstreamResult<Literal>>;
  status(orderUuid: string): Promise<UpstreamResult<Literal>>;
  health(): UpstreamHealth;
}

/** The state of one host, for the operator. */
export interface UpstreamHealth {
  readonly reachable: boolean;
  /** The time since which no call has succeeded; null while the host is reachable. */
  readonly unreachableSinceMs: number | null;
  readonly callsInFlight: number;
  /**
   * True after repeated failures: until a pause is over, calls are rejected without being sent. The first call after
   * the pause tries the host again.
   */
  readonly isPaused: boolean;
}
