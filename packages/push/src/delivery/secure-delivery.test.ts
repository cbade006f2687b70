import { once } from "node:events";
import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock, systemStopwatch } from "../../../base/src/clock.ts";
import { listenerPort } from "../../../base/src/listener-port.ts";
import { systemChance } from "../../../base/src/random.ts";
import { type Certificate, makeCertificate } from "../../../server/src/testing/made-certificate.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import { generateWebhookSecret } from "./sign-webhook.ts";
import { createWebhookSender } from "./webhook-sender.ts";

const trusted = makeCertificate("IP:127.0.0.1,DNS:localhost", "2");
const elsewhere = makeCertificate("DNS:receiver.example", "2");
const unknown = makeCertificate("IP:127.0.0.1,DNS:localhost", "2");
if (trusted === null) process.emitWarning("openssl is not installed: TLS is NOT tested");

/**
 * The authorities that the process trusts by default. Until the tests end it also trusts two certificates of the tests.
 */
const before = getCACertificates("default");
setDefaultCACertificates([...before, ...[trusted, elsewhere].flatMap((one) => one?.cert ?? [])]);
afterAll(() => setDefaultCACertificates(before));

const secured = (certificate: Certificate | null) => createServer({ ...certificate });

async function start(server: Server) {
  const requests: string[] = [];
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: listenerPort(server.address()), requests };
}

function open() {
  const sender = createWebhookSender({
    rules: { ports: new Set([443]), allowsPrivate: true },
    clock: systemClock,
    stopwatch: systemStopwatch,
    timer: createManualTime(0).timer,
    ownListeners: () => [],
  });
  onTestFinished(() => sender.close());
  const signers = { secrets: [generateWebhookSecret(systemChance)], sign: null };
  return (url: string) => sender.send({ url, id: "evt_1", body: "{}", ...signers });
}

describe.skipIf(trusted === null)("a delivery over TLS", () => {
  test.each(["127.0.0.1", "localhost"])(
    "a delivery over TLS reaches a receiver with a certificate of %s, twice over one connection",
    async (host) => {
      const { port, requests } = await start(secured(trusted));
      const send = open();
      for (const path of ["a", "b"]) {
        expect(await send(`https://${host}:${port}/${path}`)).toMatchObject({ status: 204 });
      }
      expect(requests).toEqual(["POST /a", "POST /b"]);
    },
  );

  test.each([
    ["of another host", elsewhere, "1"],
    ["of an unknown authority", unknown, "1"],
    ["of an unknown authority, while the environment turns the check off", unknown, "0"],
  ])(
    "a delivery does not reach a receiver with a certificate %s",
    async (_title, certificate, checks) => {
      vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", checks);
      onTestFinished(() => void vi.unstubAllEnvs());
      const { port, requests } = await start(secured(certificate));
      const result = await open()(`https://127.0.0.1:${port}/a`);
      expect(result).toMatchObject({ status: null, error: "tls" });
      expect(requests).toEqual([]);
    },
  );

  test("a delivery over TLS does not reach a receiver without TLS", async () => {
    const { port, requests } = await start(createPlainServer());
    const result = await open()(`https://127.0.0.1:${port}/a`);
    expect(result).toMatchObject({ status: null, error: "tls" });
    expect(requests).toEqual([]);
  });
});
