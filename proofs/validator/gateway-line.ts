import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";

/** The line between the service and the gateway: it can be interrupted, and it counts orders. */
export interface GatewayLine {
  readonly url: string;
  /** How often each order was sent to the gateway, by its kind and id. */
  readonly sent: ReadonlyMap<string, number>;
  /** Refuses connections for this time. */
  interrupt(ms: number): Promise<void>;
  close(): Promise<void>;
}

const SUBMIT = "/api/submit-order";

export async function openGatewayLine(gatewayUrl: string): Promise<GatewayLine> {
  const sent = new Map<string, number>();
  const server = createServer((incoming, outgoing) => {
    outgoing.on("error", () => undefined);
    void bytesOf(incoming)
      .then((body) => {
        if (incoming.url === SUBMIT) count(sent, orderOf(body));
        const { method = "GET", url = "/", headers } = incoming;
        const passed = request(`${gatewayUrl}${url}`, { method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
          // Half an answer stays half an answer.
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

/** An order by its kind and id: edits and cancels have the id of their target. */
function orderOf(body: Buffer): string {
  const { execution_type, order_uuid } = JSON.parse(body.toString()) as Readonly<
    Record<string, unknown>
  >;
  return `${String(execution_type)} ${String(order_uuid)}`;
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
