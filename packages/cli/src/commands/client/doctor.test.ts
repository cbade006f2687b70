import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type CliSandbox, openCliSandbox } from "../../testing/cli-sandbox.ts";
import { type CliResult, runCli } from "../../testing/run-cli.ts";

let sandbox: CliSandbox;

beforeAll(async () => {
  sandbox = await openCliSandbox();
  return () => sandbox.close();
});

function doctor(env: Record<string, string> = {}, ...given: readonly string[]): Promise<CliResult> {
  return runCli(["doctor", ...given], { env: { ...sandbox.env, ...env } });
}

/** The address of a server in front of the sandbox. */
async function inFront(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

/** A server that passes each request on to the sandbox under another target. */
function proxy(rewrite: (target: string) => string): RequestListener {
  return (request, response) => void passOn(request, response, rewrite(request.url ?? ""));
}

async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const headers = Object.entries(request.headers).filter(([name]) => name.startsWith("x-service-"));
  const answer = await fetch(sandbox.baseUrl + target, {
    method: request.method ?? "GET",
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  });
  const seen = [...answer.headers].filter(([name]) => name.startsWith("x-service-"));
  response.writeHead(answer.status, Object.fromEntries(seen));
  response.end(await answer.text());
}

describe("propgate doctor", () => {
  test("propgate doctor says of every step that it is well, within 80 columns, and places nothing", async () => {
    const { code, stdout, stderr } = await doctor();
    expect([code, stderr]).toEqual([0, ""]);
    const names = ["address", "TLS", "service", "clock", "brand", "key", "signature", "reads"];
    for (const name of [...names, "nonce", "body", "orders", "account"]) {
      expect(stdout).toMatch(new RegExp(`^ok {6}${name} `, "m"));
    }
    expect(stdout).toMatch(/^All checks passed\.$/m);
    expect(stdout).not.toContain(sandbox.secret);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(await sandbox.json("orders")).toEqual([]);
  });

  test("the wrong secret is named", async () => {
    const { code, stdout } = await doctor({ PROPGATE_SECRET: "not-the-secret" });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok {6}key /m);
    expect(stdout).toMatch(/^failed {2}signature the service received exactly the signed request/m);
  });

  test("an unknown key is named with its allow-list", async () => {
    const unknown = await doctor({ PROPGATE_KEY_ID: "pk_unknown" });
    expect(unknown.stdout).toMatch(/^failed {2}key /m);
    expect(unknown.stdout).toContain("allow-list");
  });

  test("a damaged secret is named before anything is signed, and not shown [D10.secretForm]", async () => {
    const targets: string[] = [];
    const url = await inFront((request, response) => {
      targets.push(`${request.url}`);
      proxy((target) => target)(request, response);
    });
    const mistyped = sandbox.secret.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    for (const [damaged, words] of [
      [sandbox.secret.slice(0, -3), "the secret has 58 characters, and should have 61"],
      [mistyped, "its checksum does not match"],
      [`"${sandbox.secret}"`, "the secret has quotes around it"],
    ] as const) {
      const { code, stdout } = await doctor({ PROPGATE_BASE_URL: url, PROPGATE_SECRET: damaged });
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /^failed {2}signature the secret was copied incompletely or mistyped/m,
      );
      expect(stdout).toMatch(/^skipped key {7}nothing was signed/m);
      expect(stdout.replaceAll(/\n +/g, " ")).toContain(words);
      expect(stdout).not.toContain(damaged.slice(0, 40));
    }
    expect(new Set(targets)).toEqual(new Set(["/api/v1/time", "/api/v1/openapi.json"]));
  });

  test("doctor reports a wrong clock in its own unit, and continues with the other checks", async () => {
    const early = await openCliSandbox(Date.parse("2026-01-05T12:00:00Z"));
    onTestFinished(() => early.close());
    const { code, stdout } = await early.run("doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed {2}clock +this machine's clock is \d+ days (ahead of|behind)/m);
    expect(stdout).toMatch(/^ok {6}signature /m);
    expect(stdout).toMatch(/^One check failed\.$/m);
  });

  test("another brand word is named with the right one", async () => {
    const { code, stdout } = await doctor({ PROPGATE_BRAND: "Acme" });
    expect(code).toBe(1);
    expect(stdout).toContain("Add --brand Service");
    expect(stdout).toMatch(/^ok {6}signature /m);
  });

  test("a proxy that loses the query is found by what the service saw", async () => {
    const url = await inFront(proxy((target) => target.replace(/\?.*/, "")));
    const { code, stdout } = await doctor({ PROPGATE_BASE_URL: url });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed {2}signature .*doctor=a%20b was sent, and/m);
  });

  test("doctor names an untrusted certificate", async () => {
    const folder = await mkdtemp(join(tmpdir(), "propgate-tls-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const made = ["-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "1"];
    execFileSync("openssl", ["req", "-x509", ...made, "-subj", "/CN=localhost"], { stdio: "pipe" });
    const server = createTlsServer({ key: await readFile(key), cert: await readFile(cert) });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { code, stdout } = await doctor({ PROPGATE_BASE_URL: `https://127.0.0.1:${port}` });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^failed {2}TLS {7}self-signed certificate/m);
    expect(stdout).toContain("NODE_EXTRA_CA_CERTS");
  });

  test("https to a port that speaks plain HTTP is named as such, with the right address", async () => {
    const url = sandbox.baseUrl.replace("http:", "https:");
    const { code, stdout } = await doctor({ PROPGATE_BASE_URL: url });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^failed {2}TLS {7}the port answers with something other than TLS/m);
    expect(stdout.replaceAll(/\n +/g, " ")).toContain(`use http: ${sandbox.baseUrl}`);
    expect(stdout).not.toContain("certificate");
  });

  test("doctor ends with 3 at something else than the service, and says where it points", async () => {
    const url = await inFront((_, response) => {
      response.writeHead(301, { Location: "https://other.example/" }).end();
    });
    const { code, stdout } = await doctor({ PROPGATE_BASE_URL: url });
    expect(code).toBe(3);
    expect(stdout).toContain("https://other.example/");
  });

  test("doctor without a service ends with 3, also with --json", async () => {
    const env = { PROPGATE_BASE_URL: "http://127.0.0.1:9" };
    const { code, stdout, stderr } = await doctor(env, "--json");
    expect(code).toBe(3);
    expect(JSON.parse(stderr).error).toContain("no answer from http://127.0.0.1:9");
    expect(JSON.parse(stdout)[0]).toMatchObject({ name: "address", state: "failed" });
  });
});
