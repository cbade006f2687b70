/**
 * Signs requests to a Propgate service with node:crypto and sends them. Node 24 runs it as it is:
 *
 *   export PROPGATE_KEY_ID=pk_... PROPGATE_SECRET=sk_...
 *   node sign.ts GET /api/v1/trading/account
 *   node sign.ts POST /api/v1/trading/orders '{"trade":{...}}'      (or @order.json)
 *   node sign.ts --print GET /api/v1/trading/account    prints the canonical string, ---, the signature
 *
 * PROPGATE_BASE_URL (http://127.0.0.1:8787) and PROPGATE_BRAND (Service) say where and how.
 * A program of your own may rather use @propgate/sdk; this shows that no library is needed.
 */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { argv, env, exit } from "node:process";

interface Signed {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: Uint8Array;
}

/** The six signed parts, a newline between them and none at the end. */
export function canonicalString({ method, target, timestamp, nonce, body }: Signed): string {
  const bodySha256 = createHash("sha256").update(body).digest("hex");
  return ["v1", method, target, timestamp, nonce, bodySha256].join("\n");
}

/** The value of the signature header. */
export function signature(secret: string, canonical: string): string {
  return `v1=${createHmac("sha256", secret).update(canonical).digest("base64")}`;
}

/** A timestamp and a nonce of its own for every request, a repeated one too. */
function fresh(): { timestamp: string; nonce: string } {
  return {
    timestamp: env.PROPGATE_TIMESTAMP ?? String(Date.now()),
    nonce: env.PROPGATE_NONCE ?? randomBytes(16).toString("hex"),
  };
}

async function send(request: Signed, key: { id: string; secret: string }): Promise<Response> {
  const brand = env.PROPGATE_BRAND ?? "Service";
  const url = `${env.PROPGATE_BASE_URL ?? "http://127.0.0.1:8787"}${request.target}`;
  return await fetch(url, {
    method: request.method,
    headers: {
      [`X-${brand}-Key-Id`]: key.id,
      [`X-${brand}-Timestamp`]: request.timestamp,
      [`X-${brand}-Nonce`]: request.nonce,
      [`X-${brand}-Signature`]: signature(key.secret, canonicalString(request)),
      ...(request.body.length > 0 ? { "Content-Type": "application/json" } : {}),
    },
    // The very bytes that were hashed.
    ...(request.body.length > 0 ? { body: Buffer.from(request.body) } : {}),
  });
}

/** fetch rewrites some targets, such as a space in a query: what it will send is what is signed. */
function asFetchSends(target: string): string {
  const url = new URL(target, "http://any");
  return url.pathname + url.search;
}

async function main(given: readonly string[]): Promise<number> {
  const printOnly = given[0] === "--print";
  const [method, target, body = "", ...rest] = printOnly ? given.slice(1) : given;
  if (method === undefined || target === undefined || rest.length > 0) {
    console.error("usage: node sign.ts [--print] METHOD TARGET [BODY | @FILE]");
    return 2;
  }
  const { PROPGATE_SECRET: secret, PROPGATE_KEY_ID: id } = env;
  if (!secret || !(id || printOnly)) {
    console.error("set PROPGATE_KEY_ID and PROPGATE_SECRET in the environment");
    return 2;
  }
  const request: Signed = {
    method: method.toUpperCase(),
    target: printOnly ? target : asFetchSends(target),
    ...fresh(),
    body: body.startsWith("@") ? readFileSync(body.slice(1)) : Buffer.from(body, "utf8"),
  };
  if (printOnly) {
    const canonical = canonicalString(request);
    console.log(`${canonical}\n---\n${signature(secret, canonical)}`);
    return 0;
  }
  const response = await send(request, { id: id ?? "", secret });
  console.log(await response.text());
  return response.ok ? 0 : 1;
}

if (import.meta.main) exit(await main(argv.slice(2)));
