import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "./client.ts";
import { UnreachableError } from "./unreachable.ts";

const SECRET = "sk_test_0123456789abcdef0123456789abcdef";
const ORDER = { trade: { execution_type: "FLAT_ALL" } } as const;

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a port");
  return `127.0.0.1:${address.port}`;
}

async function failureAt(baseUrl: string): Promise<UnreachableError> {
  const client = createClient({ baseUrl, keyId: "pk_1", secret: SECRET, retry: { attempts: 1 } });
  const error = await client.positions().catch((cause: unknown) => cause);
  if (error instanceof UnreachableError) return error;
  throw new Error("the client answered", { cause: error });
}

/** A TypeError of `fetch` in Deno 2.9: it has no code, and the text of its cause contains the phase. */
const denoError = (text: string): TypeError =>
  new TypeError("fetch failed", { cause: new Error(`error sending request for url ${text}`) });

describe("a service that does not answer", () => {
  test("UnreachableError names a refused connection", async () => {
    const server = createTcpServer();
    const address = await listening(server);
    server.close();
    await once(server, "close");
    const { message, reason, nothingWasSent } = await failureAt(`http://${address}`);
    expect(message).toBe(
      `no answer from http://${address}: connection refused (connect ECONNREFUSED ${address})`,
    );
    expect([reason, nothingWasSent]).toEqual(["connectionRefused", true]);
  });

  test("UnreachableError names a host that does not resolve", async () => {
    const { message, reason, nothingWasSent } = await failureAt("http://nowhere.invalid");
    expect(message).toContain("no answer from http://nowhere.invalid: host name not found (");
    expect([reason, nothingWasSent]).toEqual(["hostNotFound", true]);
  });

  test("UnreachableError names an https URL of a service that speaks http", async () => {
    const address = await listening(createHttpServer());
    const { message, reason, nothingWasSent } = await failureAt(`https://${address}`);
    expect(message).toContain("does not speak TLS at this port; try an http:// URL");
    expect([reason, nothingWasSent]).toEqual(["notTls", true]);
  });

  test("UnreachableError names a certificate that this machine does not trust", async () => {
    const folder = await mkdtemp(join(tmpdir(), "propgate-sdk-tls-"));
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const made = ["-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "1"];
    await promisify(execFile)("openssl", ["req", "-x509", ...made, "-subj", "/CN=127.0.0.1"]);
    const tls = { key: await readFile(key), cert: await readFile(cert) };
    const address = await listening(createHttpsServer(tls));
    const { message, reason, nothingWasSent } = await failureAt(`https://${address}`);
    expect(message).toContain("TLS failed (self-signed certificate");
    expect([reason, nothingWasSent]).toEqual(["tls", true]);
  });

  test("the arrival of a request is unknown when its connection breaks", async () => {
    const address = await listening(
      createTcpServer((socket) => void socket.once("data", () => socket.destroy())),
    );
    const { message, reason, nothingWasSent } = await failureAt(`http://${address}`);
    expect(message).toBe(
      `no answer from http://${address}: the connection was lost (other side closed)`,
    );
    expect([reason, nothingWasSent]).toEqual(["connectionLost", false]);
  });

  test.each([
    [
      "(http://127.0.0.1:9447/): client error (Connect): tcp connect error: Connection refused (os error 111)",
      "connectionRefused",
      true,
    ],
    [
      "(http://nope.invalid/): client error (Connect): dns error: failed to lookup address information: Name or service not known",
      "hostNotFound",
      true,
    ],
    [
      "(https://127.0.0.1:9444/): client error (Connect): received corrupt message of type InvalidContentType",
      "notTls",
      true,
    ],
    [
      "(https://127.0.0.1:9448/): client error (Connect): invalid peer certificate: UnknownIssuer",
      "tls",
      true,
    ],
    [
      "(http://127.0.0.1:9446/): client error (SendRequest): connection closed before message completed",
      "connectionLost",
      false,
    ],
  ])(
    "UnreachableError names the cause of an error of Deno, which has no code: %s",
    (text, reason, nothingWasSent) => {
      const error = new UnreachableError("http://127.0.0.1:9447", denoError(text));
      expect([error.reason, error.nothingWasSent]).toEqual([reason, nothingWasSent]);
    },
  );

  test("the arrival of a request is unknown when one of several addresses was connected", () => {
    const refused = Object.assign(new Error("refused"), {
      code: "ECONNREFUSED",
      syscall: "connect",
    });
    const both = new AggregateError([refused, refused]);
    const one = new AggregateError([refused, new Error("reset")]);
    const sent = (cause: Error): boolean =>
      new UnreachableError("http://a", new TypeError("fetch failed", { cause })).nothingWasSent;
    expect([sent(both), sent(one)]).toEqual([true, false]);
  });
});

describe("an order at a service that Deno cannot reach [S4.2.notIdempotent]", () => {
  test("the order is rejected immediately, because nothing was sent", async () => {
    const fetch = (): Promise<never> =>
      Promise.reject(denoError("(http://a/): client error (Connect): tcp connect error"));
    const client = createClient({ baseUrl: "http://a", keyId: "pk_1", secret: SECRET, fetch });
    expect(await client.placeOrder(ORDER)).toMatchObject({ fate: "rejected", rejection: null });
  });
});
