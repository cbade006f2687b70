import { createServer, type IncomingMessage } from "node:http";
import {
  ACCOUNT,
  EVENTS_PAGE,
  FILLS,
  INSTRUMENT,
  isIfSent,
  isRecord,
  type JsonSchema,
  matchEndpoint,
  ORDER_HISTORY,
  ORDER_LIFE,
  PAYOUTS,
  POSITION,
  type Schema,
  type SignedEndpointName,
  TRADE,
} from "@propgate/contract";
import { listenerPort } from "../../../base/src/listener-port.ts";

/** For each endpoint, the schema whose fields a network may leave out; for a list, the schema of its items. */
const SHAPES: Readonly<Partial<Record<SignedEndpointName, Schema<unknown>>>> = {
  getAccount: ACCOUNT,
  getPositions: POSITION,
  getTrades: TRADE,
  getPayouts: PAYOUTS,
  getInstruments: INSTRUMENT,
  getEvents: EVENTS_PAGE,
  getOrder: ORDER_LIFE,
  getOrderHistory: ORDER_HISTORY,
  getFills: FILLS,
};

const NOT_OFFERED: readonly SignedEndpointName[] = ["getQuotes", "getCandles", "previewOrder"];

/** A server in front of a service. Its answers have as few figures as the contract allows. */
export interface UnsentFiguresServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Passes requests on to the service, and removes from the answers every figure that a network may leave out. A request
 * for quotes, candles or an order preview gets a 404 instead.
 */
export async function openUnsentFiguresServer(serviceUrl: string): Promise<UnsentFiguresServer> {
  const server = createServer((request, response) => {
    void answerTo(request, serviceUrl).then(({ status, headers, body }) => {
      response.writeHead(status, headers);
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${listenerPort(server.address())}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function answerTo(request: IncomingMessage, serviceUrl: string): Promise<Sent> {
  const { method = "GET", url: target = "/", headers: given } = request;
  const found = matchEndpoint(method, target.replace(/\?.*$/s, ""));
  const name = found.kind === "endpoint" ? found.name : null;
  if (name !== null && NOT_OFFERED.includes(name)) {
    return sent(404, { error: "Not offered: the network of this account has no prices" });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { host: _, connection: __, "content-length": ___, ...kept } = given;
  const response = await fetch(`${serviceUrl}${target}`, {
    method,
    headers: kept as Record<string, string>,
    ...(method === "GET" ? {} : { body: Buffer.concat(chunks) }),
  });
  const body = await response.text();
  const shape = name === null ? undefined : SHAPES[name];
  if (response.status !== 200 || shape === undefined) {
    return { ...sent(response.status, {}), body };
  }
  const answer: unknown = JSON.parse(body);
  if (!isRecord(answer)) throw new Error("broken invariant: an answer is an object");
  return sent(200, { ...answer, data: withoutUnsentFigures(answer.data, shape.json) });
}

function sent(status: number, body: object): Sent {
  return {
    status,
    headers: { "Content-Type": "application/json", Connection: "close" },
    body: JSON.stringify(body),
  };
}

/** The value with null for every field that its network may leave out. */
export function withoutUnsentFigures(value: unknown, schema: unknown): unknown {
  if (!isRecord(schema) || value === null) return value;
  if (isIfSent(schema)) return null;
  if (Array.isArray(value))
    return value.map((item) => withoutUnsentFigures(item, schema.items ?? schema));
  if (!isRecord(value)) return value;
  const properties: JsonSchema = isRecord(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      withoutUnsentFigures(field, properties[name]),
    ]),
  );
}
