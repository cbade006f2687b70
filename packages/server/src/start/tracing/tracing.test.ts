import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { readSettings } from "../../../../base/src/config.ts";
import { listenerPort } from "../../../../base/src/listener-port.ts";
import { sendRequest, signedHeaders } from "../../testing/signed-request.ts";
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts";
import { startService } from "../start-service.ts";
import { createTracing } from "./trace-requests.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const ORDER =
  '{"trade":{"execution_type":"MARKET","trade_pair":"BTCUSD","order_type":"LONG","value":500}}';
const TARGET = "/api/v1/trading/orders";
const TOKEN = "an-operator-token-of-24-characters";

interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

/** A collector that keeps the JSON of what it receives. */
async function startCollector(status = 200) {
  const texts: string[] = [];
  const paths = new Set<string | undefined>();
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on("end", () => {
      texts.push(text);
      paths.add(request.url);
      response.writeHead(status, { "Content-Type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address: AddressInfo | string | null = server.address();
  const spans = (): readonly ReceivedSpan[] =>
    texts
      .map((text) => JSON.parse(text))
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans: some }) => some);
  return { url: `http://127.0.0.1:${listenerPort(address)}`, texts, paths, spans };
}

async function startTraced(otlpUrl: string) {
  const dataDir = await makeTemporaryFolder();
  const reading = readSettings(
    {},
    { port: "0", dataDir, logLevel: "silent", operatorToken: TOKEN, otlpUrl },
  );
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  const service = await startService(reading.settings);
  const { firstKey } = service;
  if (firstKey === null) throw new Error("a first start makes a key");
  return { service, firstKey, port: Number(new URL(service.baseUrl).port) };
}

describe("traces", () => {
  test("an order's spans continue the client's trace, and contain its request id and no secret", async () => {
    const collector = await startCollector();
    const { service, firstKey, port } = await startTraced(collector.url);
    const timestamp = String(Date.now());
    const signed = { method: "POST", target: TARGET, body: ORDER, timestamp, nonce: "traced-1" };
    const headers = signedHeaders(firstKey, signed);
    const answer = await sendRequest(
      {
        port,
        method: "POST",
        path: TARGET,
        headers: {
          ...headers,
          "Content-Type": "application/json",
          traceparent: `00-${TRACE}-${PARENT}-01`,
        },
      },
      ORDER,
    );
    expect(answer.status).toBe(200);
    await service.stop();

    expect([...collector.paths]).toEqual(["/v1/traces"]);
    const own = collector.spans().filter(({ traceId }) => traceId === TRACE);
    const root = own.find(({ parentSpanId }) => parentSpanId === PARENT);
    expect(root).toMatchObject({ name: `POST ${TARGET}` });
    const parts = own.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
    expect(parts.map(({ name }) => name).toSorted()).toEqual(["admission", "checks", "work"]);
    const attributes = new Map(root?.attributes.map(({ key, value }) => [key, value]));
    expect(attributes.get("propgate.request.id")).toEqual({
      stringValue: answer.headers["x-service-request-id"],
    });
    expect(attributes.get("http.response.status_code")).toEqual({ intValue: 200 });
    expect(collector.spans().map(({ name }) => name)).toContain("commit batch");

    const sent = collector.texts.join("\n");
    for (const secret of [
      firstKey.secret,
      firstKey.keyId,
      TOKEN,
      ORDER,
      "BTCUSD",
      "traced-1",
      ...Object.values(headers).filter((value) => value !== timestamp),
    ]) {
      expect(sent).not.toContain(secret);
    }
  });

  test("the owner of an order's account continues the trace from the work of the request", async () => {
    const collector = await startCollector();
    const [admitting, owner] = [createTracing(collector.url), createTracing(collector.url)];
    const request = admitting.observers(undefined).requests.begin("placeOrder", {
      requestId: "one",
      message: { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } },
    });
    for (const part of ["checks", "admission"] as const) request.ended(part);
    const trace = request.trace();
    if (trace === undefined) throw new Error("a traced request has a span");
    owner.forwarded.begin(trace)("done");
    request.ended("work");
    request.answered(200);
    await Promise.all([admitting.close(), owner.close()]);
    const found = (name: string) => collector.spans().find((span) => span.name === name);
    expect(found("forwarded order")).toMatchObject({
      traceId: TRACE,
      parentSpanId: found("work")?.spanId,
      attributes: [{ key: "propgate.forwarding.end", value: { stringValue: "done" } }],
    });
  });

  test("a client's decision not to sample holds in the owner too", async () => {
    const collector = await startCollector();
    const tracing = createTracing(collector.url);
    const request = tracing.observers(undefined).requests.begin("placeOrder", {
      requestId: "one",
      message: { headers: { traceparent: `00-${TRACE}-${PARENT}-00` } },
    });
    const trace = request.trace();
    expect(trace).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    if (trace !== undefined) tracing.forwarded.begin(trace)("done");
    request.answered(200);
    await tracing.close();
    expect(collector.spans()).toEqual([]);
  });

  test.each([
    ["missing", {}],
    ["malformed", { traceparent: `00-${TRACE}-${PARENT}` }],
    ["all zeros", { traceparent: `00-${"0".repeat(32)}-${PARENT}-01` }],
  ])("a request whose traceparent is %s begins a trace of its own", async (_, headers) => {
    const collector = await startCollector();
    const { service, port } = await startTraced(collector.url);
    const answer = await sendRequest({ port, method: "GET", path: TARGET, headers });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const read = await sendRequest({ port, path: "/api/v1/trading/positions", headers });
    expect(read.status).toBe(401);
    await service.stop();
    const [root] = collector.spans().filter(({ name }) => name.startsWith("GET "));
    expect(root?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(root?.traceId).not.toBe(TRACE);
    expect(root?.parentSpanId ?? "").toBe("");
  });

  test("requests are answered, and a stop ends, while the collector fails", async () => {
    const collector = await startCollector(500);
    const { service, port } = await startTraced(collector.url);
    const read = await sendRequest({ port, path: "/api/v1/trading/positions" });
    expect(read.status).toBe(401);
    await service.stop();
  });

  test.each([
    ["the SDK of OpenTelemetry is not loaded", {}, false],
    ["the SDK is loaded with a collector", { PROPGATE_OTLP_URL: "http://127.0.0.1:9" }, true],
  ])("in a process of its own, %s", async (_, environment, isLoaded) => {
    const hook = `import { registerHooks } from "node:module"; let seen = false;
      registerHooks({ load(url, context, next) { seen ||= url.includes("@opentelemetry/sdk") || url.includes("@opentelemetry/exporter"); return next(url, context); } });
      process.on("exit", () => console.log("loaded", seen));`;
    const main = fileURLToPath(new URL("../../../../cli/src/main.ts", import.meta.url));
    const child = spawn(
      process.execPath,
      [
        "--conditions=@propgate/source",
        `--import=data:text/javascript,${encodeURIComponent(hook)}`,
        main,
        "serve",
        "--port",
        "0",
        "--data",
        await makeTemporaryFolder(),
      ],
      { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "inherit"] },
    );
    let text = "";
    for await (const chunk of child.stdout) {
      text += String(chunk);
      if (text.includes("Ctrl-C stops it.")) child.kill("SIGTERM");
    }
    expect(text).toContain(`loaded ${isLoaded}`);
  });
});
