import assert from "node:assert/strict";
import { OPENAPI_PATH, receiptNonce, SIGNED_ENDPOINTS, TIME_PATH } from "@propgate/contract";
import fc from "fast-check";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";
import type { FuzzedService } from "../fuzzed-service.ts";
import { rawRequestText } from "../raw-request.ts";

const PATHS: readonly string[] = Object.values(SIGNED_ENDPOINTS).map(({ path }) => path);
/** Paths that answer without a key, of which the suite also makes targets. */
const OPEN_PATHS: readonly string[] = [OPENAPI_PATH, TIME_PATH, "/health"];

const piece = fc.oneof(
  fc.constantFrom(
    "/",
    "//",
    "%",
    "%00",
    "%2f",
    "%2F",
    "%zz",
    "..",
    ".",
    "./",
    "../",
    "%2e%2e",
    ";",
  ),
  fc.constantFrom("#", "?", "&", "=", "+", "accountId=", "limit=", "cursor=", "\\", "|", "{}"),
  fc.constantFrom("%c3%28", "%ff", "%E2%82%AC", "%u0041", "*", "@", ":80", "~", "%0d%0a", "%20"),
  fc.constantFrom(...PATHS, ...OPEN_PATHS, "/operator/v1/keys", "/api/v1", "/"),
  fc.constantFrom("/api/v1/trading/receipts/", "%7Bnonce%7D", "pairs="),
  fc.constantFrom("\x80", "\xe9", "\xff\xfe", "\x01", "\t", "\x7f"),
  fc.string({ unit: "grapheme-ascii", maxLength: 8 }).map((text) => text.replaceAll(" ", "")),
  fc.integer({ min: 200, max: 20_000 }).map((length) => "a".repeat(length)),
);
const front = fc.constantFrom("", "/", ...PATHS, "http://x", "https://user:pw@x:1", "//x", "/./");
const target = fc
  .tuple(front, fc.array(piece, { maxLength: 5 }))
  .map(([start, pieces]) => `${start}${pieces.join("")}` || "/");

/**
 * A target of any bytes is signed as it is sent, and only the paths of the signed API and `OPEN_PATHS` are answered
 * 200. @rule S5.canonical D2.routes
 */
export function rawTargetsSuite(world: FuzzedService): FuzzSuite {
  return createFuzzSuite({
    name: "raw request targets",
    defaultRuns: 400,
    inputs: fc.tuple(fc.constantFrom("GET", "GET", "GET", "POST", "DELETE"), target),
    async try([method, aimed]) {
      const signer = await world.trader();
      const request = { method, target: aimed, body: "", nonce: world.nextNonce() };
      const headers = Object.entries(world.headers(signer, request));
      const answer = await world.exchange(rawRequestText({ ...request, headers }));
      world.checker.status([200, 400, 401, 403, 404, 405, 431], answer);
      if (answer.status === 200) assert.ok(leadsTo([...PATHS, ...OPEN_PATHS], aimed), aimed);
    },
  });
}

/** True when the decoded path is one of `paths` or the path of a receipt. */
function leadsTo(paths: readonly string[], aimed: string): boolean {
  const [path = ""] = aimed.replace(/^https?:\/\/[^/?#]*/, "").split(/[?#]/);
  return receiptNonce(path) !== null || paths.includes(decodeURIComponent(path));
}
