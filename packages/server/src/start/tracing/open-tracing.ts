import type { ForwardedTraces } from "@propgate/cluster";
import type { ServiceObservers } from "../service.ts";

/** Traces of a service, which it sends to a collector. */
export interface Tracing {
  /** Observers that trace, and call the given ones too. */
  observers(others: ServiceObservers | undefined): ServiceObservers;
  /** Traces the commands that other nodes forward to this one. */
  readonly forwarded: ForwardedTraces;
  /** Sends the last spans; gives up after two seconds without an answer of the collector. */
  close(): Promise<void>;
}

/** Null without a collector; then the SDK of OpenTelemetry is not loaded. */
export async function openTracing(otlpUrl: string | null): Promise<Tracing | null> {
  if (otlpUrl === null) return null;
  const { createTracing } = await import("./trace-requests.ts");
  return createTracing(otlpUrl);
}
