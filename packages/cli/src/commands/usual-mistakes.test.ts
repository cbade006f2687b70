import { createHash, createHmac } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type CliSandbox, openCliSandbox } from "../testing/cli-sandbox.ts";
import { runCli } from "../testing/run-cli.ts";

let sandbox: CliSandbox;
let folder = "";

beforeAll(async () => {
  sandbox = await openCliSandbox();
  folder = await mkdtemp(join(tmpdir(), "propgate-mistakes-"));
  return async () => {
    await sandbox.close();
    await rm(folder, { recursive: true });
  };
});

/**
 * The parts of a request, and how a client signs them. Each mistake of the tests changes what it needs and leaves the
 * rest correct.
 */
interface Signing {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly body: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly secret: string;
  readonly signedTarget: string;
  readonly signedBody: string;
  readonly end: string;
  readonly encoding: "base64" | "hex";
  readonly times: number;
}

interface Sent {
  readonly request: string;
  readonly answer: string;
}

const ORDER = '{ "trade": { "execution_type": "FLAT_ALL" } }';
const TARGET = "/api/v1/trading/payouts?limit=2";

async function send(mistake: Partial<Signing>): Promise<Sent> {
  const right = {
    method: "GET",
    target: TARGET,
    body: "",
    timestamp: String(Date.now()),
    nonce: crypto.randomUUID(),
    secret: sandbox.secret,
    end: "",
    times: 1,
    encoding: "base64",
  } as const;
  const given = { ...right, ...mistake };
  const { method, target, body, timestamp, nonce, encoding, secret } = given;
  const hash = createHash("sha256")
    .update(given.signedBody ?? body)
    .digest("hex");
  const lines = ["v1", method, given.signedTarget ?? target, timestamp, nonce, hash];
  const message = lines.join("\n") + given.end;
  const headers = {
    "X-Service-Key-Id": sandbox.keyId,
    "X-Service-Timestamp": timestamp,
    "X-Service-Nonce": nonce,
    "X-Service-Signature": `v1=${createHmac("sha256", secret).update(message).digest(encoding)}`,
    ...(body === "" ? {} : { "Content-Type": "application/json" }),
  };
  const options = { method, headers, ...(body === "" ? {} : { body }) };
  let response = await fetch(sandbox.baseUrl + target, options);
  for (let sent = 1; sent < given.times; sent += 1) {
    response = await fetch(sandbox.baseUrl + target, options);
  }
  return {
    request: `${method} ${target} HTTP/1.1\r\n${headerLines(Object.entries(headers))}\r\n${body}`,
    answer: `HTTP/1.1 ${response.status}\r\n${headerLines([...response.headers])}\r\n${await response.text()}`,
  };
}

function headerLines(headers: readonly (readonly [string, string])[]): string {
  return headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
}

const EIGHT: readonly (readonly [string, () => Partial<Signing>, RegExp])[] = [
  [
    "seconds",
    () => ({ timestamp: String(Math.floor(Date.now() / 1000)) }),
    /timestamp: .* in seconds/,
  ],
  ["hex digest", () => ({ encoding: "hex" }), /signature: it is hex instead of base64/],
  [
    "re-serialised body",
    () => ({
      method: "POST",
      target: "/api/v1/trading/orders",
      body: ORDER,
      signedBody: JSON.stringify(JSON.parse(ORDER)),
    }),
    /body: the same JSON was signed/,
  ],
  [
    "missing query",
    () => ({ signedTarget: "/api/v1/trading/payouts" }),
    /target: the query string was not signed/,
  ],
  [
    "wrong secret",
    () => ({ secret: "sk_of_another_key" }),
    /secret: no known mistake [\s\S]* another\s+secret/,
  ],
  [
    "stale clock",
    () => ({ timestamp: String(Date.now() - 600_000) }),
    /clock: the timestamp is 600 s behind/,
  ],
  ["reused nonce", () => ({ times: 2 }), /nonce: .*409.* used this\s+nonce before/],
  ["newline at the end", () => ({ end: "\n" }), /canonical string: it was signed with a newline/],
];

describe("each of the eight usual signing mistakes is found from the output of verify alone", () => {
  test.each(EIGHT)("verify alone names the mistake: %s", async (name, mistake, words) => {
    const { request, answer } = await send(mistake());
    expect(answer).not.toMatch(/^HTTP\/1\.1 200/);
    const file = (kind: string): string => join(folder, `${name}.${kind}`);
    await writeFile(file("request"), request);
    await writeFile(file("answer"), answer);
    const given = ["verify", "--request", file("request"), "--seen", file("answer")];
    const { code, stdout, stderr } = await runCli(given, {
      env: { PROPGATE_SECRET: sandbox.secret },
    });
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(words);
    for (const [other, , otherWords] of EIGHT) {
      if (other !== name) expect(stdout).not.toMatch(otherWords);
    }
  });

  test("a request without any passes, and verify says so", async () => {
    const { request, answer } = await send({});
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    await writeFile(join(folder, "right"), request);
    const given = ["verify", "--request", join(folder, "right")];
    const { code } = await runCli(given, { env: { PROPGATE_SECRET: sandbox.secret } });
    expect(code).toBe(0);
  });
});
