import { spawn } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { type Language, sampleText } from "./samples.ts";

const SECRET = "sk_test_0123456789abcdef0123456789abcdef";

/** A server that answers whether the signature of the request is right; it rejects `/rejected`. */
const server = createServer((request, response) => {
  if (request.url === "/rejected") response.statusCode = 400;
  const body = createHash("sha256");
  const header = (name: string): string => String(request.headers[`x-acme-${name}`]);
  request.on("data", (chunk: Buffer) => body.update(chunk));
  request.on("end", () => {
    const line = [request.method, request.url, header("timestamp"), header("nonce")];
    const canonical = ["v1", ...line, body.digest("hex")].join("\n");
    const digest = createHmac("sha256", SECRET).update(canonical).digest("base64");
    const isRight = header("signature") === `v1=${digest}`;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ isRight, keyId: header("key-id") }));
  });
});
let baseUrl = "";

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return () => server.close();
});

const RUNS: Readonly<Record<Language, readonly [string, ...string[]]>> = {
  curl: ["sh", "-s"],
  python: ["python3", "-"],
  typescript: [process.execPath, "--input-type=module-typescript", "-"],
};

function run(language: Language, program: string): Promise<string> {
  const [command, ...options] = RUNS[language];
  const env = { ...process.env, PROPGATE_KEY_ID: "pk_1", PROPGATE_SECRET: SECRET };
  return new Promise((done, fail) => {
    const child = spawn(command, options, { env });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.on("error", fail);
    child.on("close", () => done(text));
    child.stdin.end(program);
  });
}

describe("a sample program signs its request correctly [S5.canonical]", () => {
  const order = '{"trade":{"execution_type":"MARKET","note":"it\'s 5 % \\"quoted\\" ü"}}';
  test.each([
    ["curl", "GET", "/api/v1/trading/payouts?limit=2&cursor=a%3D", ""],
    ["curl", "POST", "/api/v1/trading/orders", order],
    ["python", "GET", "/api/v1/trading/payouts?limit=2&cursor=a%3D", ""],
    ["python", "POST", "/api/v1/trading/orders", order],
    ["typescript", "GET", "/api/v1/trading/payouts?limit=2&cursor=a%3D", ""],
    ["typescript", "POST", "/api/v1/trading/orders", order],
  ] as const)("the program in %s signs %s %s correctly", async (language, method, target, body) => {
    const sample = sampleText(language, { method, target, body, baseUrl, brand: "Acme" });
    const printed = await run(language, sample);
    expect(printed.replaceAll(/\s/g, "")).toContain('{"isRight":true,"keyId":"pk_1"}');
  });
});

describe("an answer that rejects the request of a sample", () => {
  test.each(["curl", "python", "typescript"] as const)(
    "the program in %s prints the answer's text",
    async (language) => {
      const request = { method: "GET", target: "/rejected", body: "", baseUrl, brand: "Acme" };
      const printed = await run(language, sampleText(language, request));
      expect(printed.replaceAll(/\s/g, "")).toContain('{"isRight":true,"keyId":"pk_1"}');
      expect(printed).not.toContain("Traceback");
    },
  );
});
