import assert from "node:assert/strict";
import { ERRORS } from "@propgate/contract";
import fc from "fast-check";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";
import type { FuzzedService, UnsignedRequest } from "../fuzzed-service.ts";
import { errorTextOf } from "../output-checker.ts";
import { rawRequestText } from "../raw-request.ts";

const ACCOUNT = "/api/v1/trading/account";
const ORDERS = "/api/v1/trading/orders";
const ORDER = JSON.stringify({
  trade: { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 100 },
});

/** The parts of a request, as texts whose bits can be flipped. */
interface Parts {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: string;
  readonly signature: string;
  readonly keyId: string;
}
type Part = keyof Parts;

const MALFORMED = "Malformed request";
const WRONG_PATH = ["Not found", "Method not allowed"];
const BAD = ERRORS.badSignature.text;

/** The only answers that a request may get after a flip in each part. */
const ANSWERS: Readonly<Record<Part, readonly string[]>> = {
  method: [MALFORMED, ...WRONG_PATH],
  path: [MALFORMED, BAD, ...WRONG_PATH],
  query: [MALFORMED, BAD, ...WRONG_PATH],
  timestamp: [
    MALFORMED,
    ERRORS.missingCredentials.text,
    ERRORS.invalidTimestamp.text,
    ERRORS.timestampInvalid.text,
    BAD,
  ],
  nonce: [MALFORMED, ERRORS.missingCredentials.text, BAD],
  body: [BAD],
  signature: [MALFORMED, BAD],
  keyId: [MALFORMED, ERRORS.invalidKey.text],
};
const READ_PARTS: readonly Part[] = [
  "method",
  "path",
  "query",
  "timestamp",
  "nonce",
  "signature",
  "keyId",
];
const ORDER_PARTS: readonly Part[] = [...READ_PARTS.filter((part) => part !== "query"), "body"];

const flip = fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), bit: fc.nat(7) });
const inputs = fc.oneof(
  fc.record({ kind: fc.constant("read"), part: fc.constantFrom(...READ_PARTS), flip }),
  fc.record({ kind: fc.constant("order"), part: fc.constantFrom(...ORDER_PARTS), flip }),
);

/**
 * A request with one flipped bit is refused and leaves no trace: the service then accepts the original request, once.
 * @rule S5.canonical D2.6
 */
export function bitFlipsSuite(world: FuzzedService): FuzzSuite {
  return createFuzzSuite({
    name: "bit flips of signed requests",
    defaultRuns: 400,
    inputs,
    async try({ kind, part, flip: where }) {
      const signer = await world.trader();
      const parts = signedParts(world, signer, kind === "order");
      const altered = { ...parts, [part]: flipped(parts[part], where) };
      const refused = await world.exchange(bytesOf(altered));
      world.checker.status([400, 401, 404, 405], refused);
      assert.ok(ANSWERS[part].includes(errorTextOf(refused)), `${part}: ${refused.body}`);
      const carriedOut = await world.exchange(bytesOf(parts));
      assert.equal(carriedOut.status, 200, carriedOut.body);
      const again = await world.exchange(bytesOf(parts));
      assert.equal(again.status, 409, again.body);
    },
  });
}

function signedParts(
  world: FuzzedService,
  signer: Awaited<ReturnType<FuzzedService["trader"]>>,
  isOrder: boolean,
): Parts {
  const nonce = world.nextNonce();
  const [path, query, body] = isOrder ? [ORDERS, "", ORDER] : [ACCOUNT, "?a=1&b=%2F", ""];
  const method = isOrder ? "POST" : "GET";
  const request: UnsignedRequest = { method, target: path + query, body, nonce };
  const headers = world.headers(signer, request);
  const text = (name: string): string => headers[`X-Service-${name}`] ?? "";
  return {
    method,
    path,
    query,
    nonce,
    body,
    timestamp: text("Timestamp"),
    signature: text("Signature"),
    keyId: text("Key-Id"),
  };
}

function flipped(text: string, where: { readonly share: number; readonly bit: number }): string {
  const bytes = Buffer.from(text, "latin1");
  const at = Math.min(bytes.length - 1, Math.floor(where.share * bytes.length));
  bytes[at] = (bytes[at] ?? 0) ^ (1 << where.bit);
  return bytes.toString("latin1");
}

function bytesOf(parts: Parts): string {
  return rawRequestText({
    method: parts.method,
    target: parts.path + parts.query,
    headers: [
      ["X-Service-Key-Id", parts.keyId],
      ["X-Service-Timestamp", parts.timestamp],
      ["X-Service-Nonce", parts.nonce],
      ["X-Service-Signature", parts.signature],
    ],
    body: parts.body,
  });
}
