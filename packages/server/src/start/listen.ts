import {
  CannotStart,
  cleanUpAfter,
  type ListenAddress,
  listenerPort,
  listenOrigin,
  type Settings,
} from "@propgate/base";
import type { FastifyInstance } from "fastify";
import type { RunningService } from "./running-service.ts";
import type { ComposedService } from "./service.ts";

type Addresses = Pick<RunningService, "baseUrl" | "operatorUrl" | "metricsUrl">;

type Listeners = Pick<ComposedService, "app" | "operatorApp"> & {
  /** The listener of the metrics; null when the service has no metrics. */
  readonly metricsApp: FastifyInstance | null;
};

/**
 * Opens the listeners, the API's last, so that the service is complete when its API answers. Then calls `endStart`,
 * which must contain everything that can still fail. A start that fails closes the listeners, because an open one would
 * keep the process alive.
 */
export async function openListeners<Ended>(
  { app, operatorApp, metricsApp }: Listeners,
  { host, port, operatorListen, metricsListen }: Settings,
  endStart: (addresses: Addresses) => Promise<Ended>,
): Promise<{ readonly addresses: Addresses; readonly ended: Ended }> {
  const opened: FastifyInstance[] = [];
  try {
    const operatorOrigin = await openOwnListener(opened, operatorApp, {
      address: operatorListen,
      name: "operator's",
      fix: "Choose another address with --operator-listen (PROPGATE_OPERATOR_LISTEN).",
    });
    const metricsOrigin = await openOwnListener(opened, metricsApp, {
      address: metricsListen,
      name: "metrics",
      fix: "Choose another address with PROPGATE_METRICS_LISTEN.",
    });
    await app.listen({ host, port });
    opened.push(app);
    const baseUrl = listenOrigin({ host, port: listenerPort(app.server.address()) });
    const addresses: Addresses = {
      baseUrl,
      operatorUrl: operatorOrigin ?? baseUrl,
      metricsUrl: metricsOrigin === null ? null : `${metricsOrigin}/metrics`,
    };
    return { addresses, ended: await endStart(addresses) };
  } catch (cause) {
    throw await cleanUpAfter(cause, ...opened.map((one) => async () => one.close()));
  }
}

/** Opens a listener with an address of its own and returns its origin; null when the listener has no such address. */
async function openOwnListener(
  opened: FastifyInstance[],
  app: FastifyInstance | null,
  listener: {
    readonly address: ListenAddress | null;
    readonly name: string;
    readonly fix: string;
  },
): Promise<string | null> {
  const { address, name, fix } = listener;
  if (app === null || address === null) return null;
  await app.listen({ ...address }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CannotStart(`the ${name} listener: ${reason}`, { fix, cause });
  });
  opened.push(app);
  return listenOrigin({ host: address.host, port: listenerPort(app.server.address()) });
}
