import type { Chance, Log, Settings, Stopwatch } from "@propgate/base";
import type { FastifyInstance } from "fastify";
import type { ServiceObservers } from "../service.ts";
import { openMetricsApp } from "./metrics-listener.ts";
import { createServiceMetrics, type MeasuredService } from "./service-registry.ts";
import { createServiceTallies } from "./service-tallies.ts";

/**
 * The metrics of a service. The observers exist from the beginning; `appOf` makes the listener once the service is
 * composed.
 */
export interface OpenedMetrics {
  readonly observers: ServiceObservers;
  appOf(
    measured: Omit<MeasuredService, "tallies"> &
      Pick<Settings, "brand" | "networkName"> & { readonly chance: Chance; readonly log: Log },
  ): FastifyInstance;
}

/**
 * Opens the metrics; null when the settings have no listener for them. Then the service counts neither requests nor
 * commits.
 */
export function openMetrics(
  { metricsListen }: Pick<Settings, "metricsListen">,
  stopwatch: Stopwatch,
): OpenedMetrics | null {
  if (metricsListen === null) return null;
  const tallies = createServiceTallies(stopwatch);
  return {
    observers: tallies.observers,
    appOf(measured) {
      const { brand, networkName, clock, chance, log } = measured;
      const onFault = (cause: unknown, requestId: string): void =>
        log.error({ err: cause, requestId }, "fault");
      const scrape = createServiceMetrics({ ...measured, tallies });
      return openMetricsApp({ brand, networkName, clock, chance, onFault }, scrape);
    },
  };
}
