import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { listenerPort } from "../../../../base/src/listener-port.ts";
import { createHttpLinesLink } from "./http-lines-link.ts";

interface Heard {
  readonly events: string[];
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Opens a link to a server that answers each request with this function. */
async function hear(answer: (response: ServerResponse) => void): Promise<Heard> {
  const server = createServer((_request, response) => answer(response));
  let connections = 0;
  server.on("connection", (socket) => {
    connections += 1;
    socket.on("close", () => {
      connections -= 1;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const events: string[] = [];
  const link = createHttpLinesLink({
    url: `http://127.0.0.1:${listenerPort(server.address())}/lines`,
    headers: { authorization: "Bearer token" },
    refused: (status, body) => `refused ${status} ${body.length}`,
  })({
    opened: () => events.push("opened"),
    message: (line) => events.push(line),
    alive: () => events.push("alive"),
    ended: (reason) => events.push(`ended: ${reason}`),
  });
  onTestFinished(async () => {
    await link.close();
    server.closeAllConnections();
    server.close();
  });
  return { events, connections: () => connections, close: () => link.close() };
}

describe("a link over HTTP lines", () => {
  test("a link over HTTP lines reports whole lines, an empty one as a sign of life, and the end without the half line", async () => {
    const { events } = await hear((response) => {
      response.write('{"a":1}\n\n{"b":');
      setImmediate(() => response.end('2}\n{"c'));
    });
    await eventually(() => expect(events.at(-1)).toBe("ended: closed by the venue"));
    expect(events).toEqual(["opened", '{"a":1}', "alive", '{"b":2}', "ended: closed by the venue"]);
  });

  test("a link over HTTP lines ends at a line that does not end, and releases the socket", async () => {
    const { events, connections } = await hear((response) => {
      response.write("x".repeat(70_000));
    });
    await eventually(() => expect(events).toEqual(["opened", "ended: a line is too long"]));
    await eventually(() => expect(connections()).toBe(0));
  });

  test("a link over HTTP lines reports another status once, with the beginning of an endless body", async () => {
    const { events, connections } = await hear((response) => {
      response.writeHead(503);
      response.write("y".repeat(100_000));
    });
    await eventually(() => expect(events).toEqual(["ended: refused 503 2048"]));
    await eventually(() => expect(connections()).toBe(0));
  });

  test("a link over HTTP lines follows no redirection, which could send the token elsewhere", async () => {
    const { events } = await hear((response) => {
      response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
    });
    await eventually(() => expect(events).toEqual(["ended: refused 302 0"]));
  });

  test("a link over HTTP lines reports nothing after it was closed", async () => {
    const heard = await hear((response) => {
      response.write("one\n");
    });
    await eventually(() => expect(heard.events).toEqual(["opened", "one"]));
    await heard.close();
    await eventually(() => expect(heard.connections()).toBe(0));
    expect(heard.events).toEqual(["opened", "one"]);
  });
});
