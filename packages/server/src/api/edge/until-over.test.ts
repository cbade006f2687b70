import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listenerPort } from "../../../../base/src/listener-port.ts";
import { listenUntilOver } from "./until-over.ts";

const REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/** A request that a client has sent, with the client's side of its connection. */
async function received(): Promise<{
  readonly message: IncomingMessage;
  readonly client: Socket;
}> {
  const server = createServer();
  // The service has this setting: a client that ends its side still waits for the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect(listenerPort(server.address()), "127.0.0.1");
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  const heard = once(server, "request");
  client.write(REQUEST);
  const [message] = (await heard) as [IncomingMessage];
  return { message, client };
}

/** Resolves when the listener is called. If that never happens, the test ends by its time limit. */
function over(message: IncomingMessage, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    listenUntilOver(message, stopping, resolve);
  });
}

test("a request is over when its client ends its side, or had done so before anything waited", async () => {
  const { message, client } = await received();
  const waits = over(message, new AbortController().signal);
  client.end();
  await waits;
  expect(message.socket.readableEnded).toBe(true);
  await over(message, new AbortController().signal);
});

test("a request is over when its client closes the connection, or had done so before", async () => {
  const { message, client } = await received();
  const waits = over(message, new AbortController().signal);
  client.resetAndDestroy();
  await waits;
  await over(message, new AbortController().signal);
});

test("a request is over when the service stops, and not before", async () => {
  const { message } = await received();
  const stopping = new AbortController();
  let calls = 0;
  const stopListening = listenUntilOver(message, stopping.signal, () => {
    calls += 1;
  });
  expect(calls).toBe(0);
  stopListening();
  const waits = over(message, stopping.signal);
  stopping.abort();
  await waits;
  expect(calls).toBe(0);
});
