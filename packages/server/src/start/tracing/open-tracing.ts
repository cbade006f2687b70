import type { ForwardedTraces } from "@propgate/cluster";
import type { ServiceObservers } from "../service.ts";

/** The traces of a service, which it sends to a collector. */
export interface Tracing {
  /** Returns observers that trace, and that call the given observers too. */
  observers(others: ServiceObservers | undefined): ServiceObservers;
  /** Traces the commands that other nodes forward to this one. */
  readonly forwarded: ForwardedTraces;
  /** Sends the last spans. Gives up after two seconds without an answer of the collector. */
  close(): Promise<void>;
}

/** Opens tracing; null without a collector, so that the SDK of OpenTelemetry is not loaded. */
export async function openTracing(otlpUrl: string | null): Promise<Tracing | null> {
  if (otlpUrl === null) return null;
  const { createTracing } = await import("./trace-requests.ts");
  return createTracing(otlpUrl);
}
