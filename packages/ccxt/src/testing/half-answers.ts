import { createServer, type IncomingMessage } from "node:http";
import { listenerPort } from "../../../base/src/listener-port.ts";

/** How an answer goes on after its first half: with silence, or with the end of the connection. */
export type HalfEnd = "stops" | "is cut";

/** A server in front of a service, which answers the first POST with half of the body. */
export interface HalfAnswers {
  readonly url: string;
  close(): void;
}

export async function openHalfAnswers(serviceUrl: string, end: HalfEnd): Promise<HalfAnswers> {
  let isWhole = false;
  const server = createServer((request, response) => {
    void passedOn(request, serviceUrl).then(({ status, text }) => {
      const length = String(Buffer.byteLength(text));
      response.writeHead(status, { "Content-Type": "application/json", "Content-Length": length });
      if (isWhole || request.method !== "POST") {
        response.end(text);
        return;
      }
      isWhole = true;
      response.write(text.slice(0, text.length / 2), () => {
        if (end === "is cut") request.socket.end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${listenerPort(server.address())}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function passedOn(
  request: IncomingMessage,
  serviceUrl: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
  const { method = "GET", url = "/" } = request;
  const answer = await fetch(serviceUrl + url, {
    method,
    headers: headers as Record<string, string>,
    ...(method === "GET" ? {} : { body: Buffer.concat(chunks) }),
  });
  return { status: answer.status, text: await answer.text() };
}
