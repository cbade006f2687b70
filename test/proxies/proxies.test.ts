import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Harness,
  OPERATOR_TOKEN,
  openHarness,
} from "../../packages/server/src/testing/harness.ts";
import {
  type Reply,
  type Signer,
  signedHeaders,
} from "../../packages/server/src/testing/signed-request.ts";
import { eventually } from "../eventually.ts";
import {
  CADDY,
  isProxyInstalled,
  NGINX,
  PROXIED_NAME,
  type RunningProxy,
  runProxy,
  sayProxyIsMissing,
} from "./run-proxy.ts";

const ACCOUNT = "/api/v1/trading/account";
const ORDERS = "/api/v1/trading/orders";
const BODY_BYTES_MAX = 65_536;
const TRADE = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 500,
};

/** Targets that are signed exactly as written and must arrive unchanged. */
const TARGETS = [
  ACCOUNT,
  `${ACCOUNT}?`,
  `${ACCOUNT}?b=2&a=1&b=1`,
  `${ACCOUNT}?x=%2F..%2f%41%7E~&y=+%20`,
  `${ACCOUNT}?q=%C3%A9%E2%82%AC&z=//a/./../b`,
  "/api/v1/trading/%61ccount",
  "/api/v1/trading/receipts/a%2Fb%3F%252F",
];

/**
 * Different spellings of paths of the operator's interface. None may reach the interface, however the proxy rewrites
 * the path.
 */
const OPERATOR_SPELLINGS = [
  "/operator/v1/accounts",
  "/operator",
  "/%6fperator/v1/accounts",
  "/oper%61tor/v1/accounts",
  "/operator%2Fv1/accounts",
  "//operator/v1/accounts",
  "/./operator/v1/accounts",
  "/api/../operator/v1/accounts",
  "/api/%2e%2e/operator/v1/accounts",
  "/OPERATOR/v1/accounts",
  `https://${PROXIED_NAME}/operator/v1/accounts`,
];

let service: Harness;

beforeAll(async () => {
  service = await openHarness({
    trustedProxies: ["127.0.0.1"],
    publicUrl: `https://${PROXIED_NAME}`,
  });
  await service.quote("BTCUSD", 100_000, 100_010);
  return () => service.close();
});

for (const proxy of [NGINX, CADDY]) {
  const isThere = isProxyInstalled(proxy);
  if (!isThere) sayProxyIsMissing(proxy);

  describe.skipIf(!isThere)(`behind ${proxy.name}, with the settings in deploy/`, () => {
    let folder = "";
    let running: RunningProxy;
    let nonces = 0;
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "propgate-proxy-"));
      running = await runProxy(proxy, { folder, servicePort: service.port });
      return async () => {
        agent.destroy();
        await running.stop();
        await rm(folder, { recursive: true, force: true });
      };
    });

    const place = (path: string, from = "127.0.0.1") => ({
      host: "127.0.0.1",
      port: running.port,
      servername: PROXIED_NAME,
      localAddress: from,
      path,
      agent,
      rejectUnauthorized: false,
    });

    function signed(
      given: { readonly method?: string; readonly target: string; readonly body?: string },
      signer: Signer = service.signer,
    ): Record<string, string> {
      nonces += 1;
      const { method = "GET", target, body = "" } = given;
      const timestamp = String(service.time.clock.now());
      const nonce = `${proxy.name}-${nonces}`;
      const headers = signedHeaders(signer, { method, target, body, timestamp, nonce });
      const type = method === "GET" ? {} : { "Content-Type": "application/json" };
      return { ...headers, ...type, Host: PROXIED_NAME };
    }

    /** Sends a signed GET through the proxy. `from` is one of the loopback addresses. */
    const get = (
      target: string,
      given: { signer?: Signer; from?: string; headers?: Record<string, string> } = {},
    ): Promise<Reply> => {
      const headers = { ...signed({ target }, given.signer), ...given.headers };
      return send({ ...place(target, given.from), headers });
    };

    test.each(TARGETS)("a signature over %s holds", async (target) => {
      expect((await get(target)).status).toBe(200);
      const stranger = { keyId: service.signer.keyId, secret: "another" };
      const refused = await get(target, { signer: stranger });
      expect(refused.status).toBe(401);
      expect(refused.headers["x-service-seen-target"]).toBe(target);
    });

    test("an order in one-byte pieces is placed", async () => {
      const body = JSON.stringify({ trade: TRADE });
      const headers = signed({ method: "POST", target: ORDERS, body });
      const reply = await send({ ...place(ORDERS), method: "POST", headers }, body.split(""));
      expect(reply.json()).toMatchObject({ success: true });
    });

    test("a request has its client's address, even when the client sends forwarding headers", async () => {
      const limited = await service.newKey({ addresses: ["127.0.0.2"] });
      const readFrom = async (from: string, forwarded: Record<string, string>): Promise<number> =>
        (await get(ACCOUNT, { signer: limited, from, headers: forwarded })).status;
      expect(await readFrom("127.0.0.2", {})).toBe(200);
      expect(await readFrom("127.0.0.2", { "X-Forwarded-For": "203.0.113.9" })).toBe(200);
      const claims = { "X-Forwarded-For": "127.0.0.2", Forwarded: "for=127.0.0.2" };
      expect(await readFrom("127.0.0.3", { ...claims, "X-Real-IP": "127.0.0.2" })).toBe(401);
      const twice = { "X-Forwarded-For": "127.0.0.2, 127.0.0.1" };
      expect(await readFrom("127.0.0.3", twice)).toBe(401);
      const keys = await service.keys.list(service.accountId);
      const use = keys.find(({ keyId }) => keyId === limited.keyId);
      expect(use?.lastUsedFrom).toBe("127.0.0.2");
    });

    test("a body of 64 KiB passes, and one byte more does not, whole or in pieces", async () => {
      const post = async (body: string): Promise<Reply> => {
        const headers = signed({ method: "POST", target: ORDERS, body });
        return send({ ...place(ORDERS), method: "POST", headers }, [body]);
      };
      const trade = JSON.stringify({ trade: TRADE });
      expect((await post(trade.padEnd(BODY_BYTES_MAX))).status).toBe(200);
      expect([400, 413]).toContain((await post(trade.padEnd(BODY_BYTES_MAX + 1))).status);
      const announced = {
        ...signed({ target: ORDERS }),
        "Content-Length": String(BODY_BYTES_MAX + 1),
      };
      const early = await send(
        { ...place(ORDERS), method: "POST", headers: announced },
        [trade],
        false,
      );
      expect([400, 413]).toContain(early.status);
      expect(await statusOfPieces(running.port, BODY_BYTES_MAX + 1)).toMatch(
        /^HTTP\/1\.1 (400|413) /,
      );
    });

    test("a live stream passes as it is written", async () => {
      const owner = await service.signIn("owner");
      const target = `/dashboard/v1/accounts/${service.accountId}/live`;
      const headers = { Host: PROXIED_NAME, Cookie: owner.cookie() };
      const sent = request({ ...place(target), headers }).end();
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      expect(response.statusCode).toBe(200);
      expect(response.headers["content-type"]).toContain("text/event-stream");
      let said = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
      await eventually(() => {
        expect(said).toContain("\n\n");
      });
      const before = said.length;
      await service.order(TRADE);
      await service.time.pass(1_000);
      await eventually(() => {
        expect(said.length).toBeGreaterThan(before);
      });
      expect(response.complete).toBe(false);
      sent.destroy();
    });

    test.each(OPERATOR_SPELLINGS)("%s is not found, with the operator's token", async (path) => {
      const headers = { Host: PROXIED_NAME, Authorization: `Bearer ${OPERATOR_TOKEN}` };
      const reply = await send({ ...place(path), headers });
      expect(reply.text).not.toContain(service.accountId);
      expect(reply.status).toBe(404);
    });
  });
}

/**
 * Sends a request. Each piece of the body is one chunk, unless the headers announce a length. With `isEnded` false the
 * body is not ended.
 */
function send(
  options: RequestOptions,
  pieces: readonly string[] = [],
  isEnded = true,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text, json: () => JSON.parse(text) });
        if (!isEnded) sent.destroy();
      });
    });
    let isAnswered = false;
    sent.on("response", () => {
      isAnswered = true;
    });
    // A proxy may close the connection while the client still sends a rejected body.
    sent.on("error", (cause) => {
      if (!isAnswered) reject(cause);
    });
    for (const piece of pieces) sent.write(piece);
    if (isEnded) sent.end();
  });
}

/** The beginning of the answer to a POST whose body arrives in chunks of one byte. */
async function statusOfPieces(port: number, bytes: number): Promise<string> {
  const socket = connect({
    host: "127.0.0.1",
    port,
    servername: PROXIED_NAME,
    rejectUnauthorized: false,
    ALPNProtocols: ["http/1.1"],
  });
  await once(socket, "secureConnect");
  // A write fails only after the request has been answered.
  socket.on("error", () => {});
  socket.write(
    `POST ${ORDERS} HTTP/1.1\r\nHost: ${PROXIED_NAME}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  socket.write("1\r\nx\r\n".repeat(bytes));
  const [first] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return first.toString("latin1");
}
