import { randomUUID } from "node:crypto";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { testNatsUrl } from "../../../server/src/testing/test-nats.ts";
import { systemTimer } from "../clock.ts";
import { listenerPort } from "../listener-port.ts";
import { systemChance } from "../random.ts";
import { parseNatsUrl } from "../settings/nats-address.ts";
import { openNatsTransport } from "./nats-transport.ts";
import type { Transport } from "./transport.ts";

const url = await testNatsUrl();

/** A TCP proxy in front of NATS. It can cut every connection, or keep connections open and pass on no data. */
async function openNatsProxy(target: URL) {
  const sockets = new Set<Socket>();
  let isDeaf = false;
  let isOff = false;
  const server: Server = createServer((client) => {
    if (isOff) {
      client.destroy();
      return;
    }
    const nats = connect({ host: target.hostname, port: Number(target.port) });
    for (const socket of [client, nats]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        client.destroy();
        nats.destroy();
      });
    }
    client.on("data", (data) => void (isDeaf || nats.write(data)));
    nats.on("data", (data) => void (isDeaf || client.write(data)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: `nats://127.0.0.1:${listenerPort(server.address())}`,
    setOff(off: boolean) {
      isOff = off;
      if (off) cut();
    },
    setDeaf: (deaf: boolean) => {
      isDeaf = deaf;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}

describe.skipIf(url === null)("the transport over NATS", () => {
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  const open = async (to = url ?? ""): Promise<{ transport: Transport; logged: string[] }> => {
    const address = parseNatsUrl(to);
    if (address === null) throw new Error(`not an address: ${to}`);
    const logged: string[] = [];
    const note = (_about: object, text: string) => void logged.push(text);
    const log = { warn: note, info: note } as never;
    const transport = await openNatsTransport({
      address,
      timer: systemTimer,
      chance: systemChance,
      log,
    });
    opened.push(transport);
    return { transport, logged };
  };
  const connected = (transport: Transport) =>
    eventually(() => expect(transport.isConnected).toBe(true));

  test("the transport over NATS carries messages of one sender in order, to the sender too, and only of the subject", async () => {
    const subject = `test.${randomUUID()}`;
    const [{ transport: one }, { transport: other }] = [await open(), await open()];
    const got: [string[], string[]] = [[], []];
    for (const [index, transport] of [one, other].entries()) {
      transport.subscribe(`${subject}.*`, ({ content }) => {
        got[index]?.push(new TextDecoder().decode(content));
      });
    }
    await connected(one);
    await connected(other);
    const sent = Array.from({ length: 500 }, (_, index) => `message ${index}`);
    await eventually(() => {
      one.send(`${subject}.probe`, "probe");
      expect(got.every((messages) => messages.includes("probe"))).toBe(true);
    });
    for (const [index, text] of sent.entries()) one.send(`${subject}.${index % 7}`, text);
    one.send(`${subject}.deeper.word`, "no");
    await eventually(() => {
      for (const messages of got) expect(messages.filter((text) => text !== "probe")).toEqual(sent);
    });
  });

  test("the transport over NATS starts without a server, connects when there is one, and again after each loss", async () => {
    const nats = await openNatsProxy(new URL(url ?? ""));
    opened.push(nats);
    nats.setOff(true);
    const { transport, logged } = await open(nats.url);
    let connections = 0;
    transport.onConnect(() => {
      connections += 1;
    });
    const subject = `test.${randomUUID()}`;
    const got: string[] = [];
    transport.subscribe(subject, ({ content }) => void got.push(new TextDecoder().decode(content)));
    await eventually(() => expect(logged).toContain("NATS cannot be reached and is retried"));
    expect(transport.isConnected).toBe(false);
    nats.setOff(false);
    await connected(transport);
    for (const round of [1, 2]) {
      nats.setOff(true);
      await eventually(() => expect(transport.isConnected).toBe(false));
      // The message is dropped, and not sent later.
      transport.send(subject, "while cut");
      nats.setOff(false);
      await connected(transport);
      await eventually(() => {
        transport.send(subject, `after ${round}`);
        expect(got).toContain(`after ${round}`);
      });
    }
    expect(connections).toBe(3);
    expect(got).not.toContain("while cut");
  });

  test("the transport over NATS goes to another server of its addresses when one is lost, and back when that one is lost", async () => {
    const switches = [
      await openNatsProxy(new URL(url ?? "")),
      await openNatsProxy(new URL(url ?? "")),
    ];
    opened.push(...switches);
    const [one, other] = switches;
    one?.setOff(true);
    const { transport } = await open(switches.map((nats) => nats.url).join(","));
    const subject = `test.${randomUUID()}`;
    const got: string[] = [];
    transport.subscribe(subject, ({ content }) => void got.push(new TextDecoder().decode(content)));
    const carries = async (text: string): Promise<void> => {
      await connected(transport);
      await eventually(() => {
        transport.send(subject, text);
        expect(got).toContain(text);
      });
    };
    await carries("by the other");
    one?.setOff(false);
    other?.setOff(true);
    await carries("by the one");
    other?.setOff(false);
    one?.setOff(true);
    await carries("by the other again");
  });

  test("the transport over NATS gives up a connection whose server accepts everything and answers nothing", async () => {
    const nats = await openNatsProxy(new URL(url ?? ""));
    opened.push(nats);
    const { transport } = await open(nats.url);
    await connected(transport);
    nats.setDeaf(true);
    await eventually(() => expect(transport.isConnected).toBe(false));
    nats.setDeaf(false);
    await connected(transport);
  });

  test("the transport over NATS can be closed before it has ever connected", async () => {
    const { transport } = await open("nats://127.0.0.1:1");
    await transport.close();
    expect(transport.isConnected).toBe(false);
  });
});
