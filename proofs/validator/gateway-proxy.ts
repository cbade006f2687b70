import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";

/** A proxy between the service and the gateway. It can be interrupted, and it records the orders that pass. */
export interface GatewayProxy {
  readonly url: string;
  /** The orders that the service sent to the gateway, oldest first. */
  readonly sent: readonly GatewayOrder[];
  /** Refuses connections for this time. Resolves when the proxy listens again. */
  interrupt(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** An order on its way to the gateway. */
export interface GatewayOrder {
  /** The number of the subaccount at the gateway. */
  readonly subaccount: number;
  readonly execution: string;
  /** The id of the order, or the ids that an act names. */
  readonly target: string;
  readonly atMs: number;
}

const SUBMIT = "/api/submit-order";

/** Opens the proxy on a free port in front of the gateway. */
export async function openGatewayProxy(gatewayUrl: string): Promise<GatewayProxy> {
  const sent: GatewayOrder[] = [];
  const server = createServer((incoming, outgoing) => {
    outgoing.on("error", () => undefined);
    void bytesOf(incoming)
      .then((body) => {
        if (incoming.url === SUBMIT) sent.push(orderOf(body));
        const { method = "GET", url = "/", headers } = incoming;
        const passed = request(`${gatewayUrl}${url}`, { method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
          // An answer that the gateway breaks off is broken off for the service too.
          pipeline(answer, outgoing, () => undefined);
        });
        passed.on("error", () => outgoing.destroy());
        outgoing.on("close", () => passed.destroy());
        passed.end(body);
      })
      .catch(() => outgoing.destroy());
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  let interrupted: Promise<void> | null = null;
  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    interrupt(ms) {
      interrupted ??= stop()
        .then(() => new Promise((resolve) => setTimeout(resolve, ms)))
        .then(() => listen(port))
        .finally(() => {
          interrupted = null;
        });
      return interrupted;
    },
    async close() {
      await interrupted;
      await stop();
    },
  };
}

function orderOf(body: Buffer): GatewayOrder {
  const { subaccount_id, execution_type, order_uuid } = JSON.parse(body.toString()) as Readonly<
    Record<string, unknown>
  >;
  return {
    subaccount: Number(subaccount_id),
    execution: String(execution_type),
    target: String(order_uuid),
    atMs: Date.now(),
  };
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
