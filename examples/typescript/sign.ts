/**
 * Signs requests to a Propgate service and sends them, with Node 24 or newer and no packages:
 * `node sign.ts GET '/api/v1/trading/payouts?limit=10'`, with PROPGATE_KEY_ID and PROPGATE_SECRET in the environment.
 * examples/README.md lists the other arguments and variables.
 */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { argv, env, exit } from "node:process";
import { text } from "node:stream/consumers";

type Parts = readonly [method: string, target: string, timestamp: string, nonce: string];

/** Returns the canonical string and the value of the signature header. */
export function sign(secret: string, parts: Parts, body: Uint8Array): [string, string] {
  const bodySha256 = createHash("sha256").update(body).digest("hex");
  const canonical = ["v1", ...parts, bodySha256].join("\n");
  return [canonical, `v1=${createHmac("sha256", secret).update(canonical).digest("base64")}`];
}

/** Sends the exact bytes that were signed. `fetch` would rewrite some targets. */
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

async function main([method, target, given = ""]: readonly string[], print: boolean) {
  if (!method || !target) return "usage: node sign.ts [--print] METHOD TARGET [BODY | @FILE]";
  if (!env.PROPGATE_SECRET) return "set PROPGATE_KEY_ID and PROPGATE_SECRET in the environment";
  const body = given.startsWith("@") ? readFileSync(given.slice(1)) : Buffer.from(given);
  // A timestamp and a nonce are valid for one request, so a retry needs new ones.
  const timestamp = env.PROPGATE_TIMESTAMP ?? String(Date.now());
  const nonce = env.PROPGATE_NONCE ?? randomBytes(16).toString("hex");
  const parts: Parts = [method, target, timestamp, nonce];
  if (print) return console.log(sign(env.PROPGATE_SECRET, parts, body).join("\n---\n"));
  const answer = await send(parts, body);
  console.log(await text(answer));
  return answer.statusCode === 200 ? undefined : `status ${answer.statusCode}`;
}

if (import.meta.main) {
  const print = argv[2] === "--print";
  const problem = await main(argv.slice(print ? 3 : 2), print);
  if (problem !== undefined) console.error(problem);
  exit(problem === undefined ? 0 : 1);
}
