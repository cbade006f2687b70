/**
 * Signs requests to a Propgate service and sends them. Node 24 or newer, nothing else:
 *
 *   export PROPGATE_KEY_ID=pk_... PROPGATE_SECRET=sk_...
 *   node sign.ts GET '/api/v1/trading/payouts?limit=10'
 *   node sign.ts POST /api/v1/trading/orders @order.json         (or the JSON itself)
 *   node sign.ts --print GET /api/v1/trading/account   canonical string, ---, signature
 *
 * PROPGATE_BASE_URL (http://127.0.0.1:8787) and PROPGATE_BRAND (Service) say where and how.
 */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { argv, env, exit } from "node:process";
import { text } from "node:stream/consumers";

type Parts = readonly [method: string, target: string, timestamp: string, nonce: string];

/** The canonical string, and the value of the signature header. */
export function sign(secret: string, parts: Parts, body: Uint8Array): [string, string] {
  const bodySha256 = createHash("sha256").update(body).digest("hex");
  const canonical = ["v1", ...parts, bodySha256].join("\n");
  return [canonical, `v1=${createHmac("sha256", secret).update(canonical).digest("base64")}`];
}

/** Signs what is sent and sends what was signed; fetch would rewrite some targets. */
export async function send([method, path, timestamp, nonce]: Parts, body: Uint8Array) {
  const [, signature] = sign(env.PROPGATE_SECRET ?? "", [method, path, timestamp, nonce], body);
  const header = `X-${env.PROPGATE_BRAND ?? "Service"}`;
  const headers = {
    [`${header}-Key-Id`]: env.PROPGATE_KEY_ID ?? "",
    [`${header}-Timestamp`]: timestamp,
    [`${header}-Nonce`]: nonce,
    [`${header}-Signature`]: signature,
    ...(body.length > 0 && { "Content-Type": "application/json" }),
  };
  const base = env.PROPGATE_BASE_URL ?? "http://127.0.0.1:8787";
  const { request } = base.startsWith("https:") ? https : http;
  return await new Promise<http.IncomingMessage>((answer, fail) => {
    request(base, { method, path, headers }, answer).on("error", fail).end(body);
  });
}

if (import.meta.main) {
  const print = argv[2] === "--print";
  const [method, target, given = ""] = argv.slice(print ? 3 : 2);
  if (!method || !target) throw "usage: node sign.ts [--print] METHOD TARGET [BODY | @FILE]";
  if (!env.PROPGATE_SECRET || !env.PROPGATE_KEY_ID) throw "set PROPGATE_KEY_ID and PROPGATE_SECRET";
  const body = given.startsWith("@") ? readFileSync(given.slice(1)) : Buffer.from(given);
  // Both work for one request only: one that is sent again needs new ones.
  const { PROPGATE_TIMESTAMP: timestamp, PROPGATE_NONCE: nonce } = env;
  const parts: Parts = [method, target, timestamp ?? String(Date.now()), nonce ?? randomBytes(16).toString("hex")];
  const answer = print ? null : await send(parts, body);
  console.log(answer ? await text(answer) : sign(env.PROPGATE_SECRET, parts, body).join("\n---\n"));
  exit(answer === null || answer.statusCode === 200 ? 0 : 1);
}
