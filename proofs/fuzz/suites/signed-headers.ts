import assert from "node:assert/strict";
import { ERRORS } from "@propgate/contract";
import fc from "fast-check";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";
import type { FuzzedService } from "../fuzzed-service.ts";
import { errorTextOf } from "../output-checker.ts";
import { rawRequestText, utf8AsLatin1 } from "../raw-request.ts";

type Header = readonly [name: string, value: string];

const ACCOUNT = "/api/v1/trading/account";
const PLACES = 4;
const place = fc.nat({ max: PLACES - 1 });

/** Any bytes except the line feed, which would begin another header. */
const oddBytes = fc
  .uint8Array({ maxLength: 60 })
  .map((bytes) => Buffer.from(bytes).toString("latin1").replaceAll("\n", ""));
const value = fc.oneof(
  oddBytes,
  fc.constantFrom("", " ", "\t", "0", "-1", "1e3", "null", "v1=", "v2=x", "1767614400", "NaN"),
  fc.string({ unit: "grapheme", maxLength: 30 }).map(utf8AsLatin1),
  fc.integer({ min: 100, max: 20_000 }).map((length) => "9".repeat(length)),
  fc.string({ unit: "grapheme-ascii", maxLength: 200 }),
);

type Change = (headers: readonly Header[]) => readonly Header[];

const at =
  (index: number, change: (header: Header) => readonly Header[]): Change =>
  (headers) =>
    headers.flatMap((header, other) => (other === index ? change(header) : [header]));

const CHANGES: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(place, value).map(([index, text]) => at(index, ([name]) => [[name, text]])),
  fc.tuple(place, value).map(([index, text]) => at(index, (one) => [one, [one[0], text]])),
  fc.tuple(place, value).map(([index, text]) => at(index, (one) => [[one[0], text], one])),
  place.map((index) => at(index, (one) => [one, one])),
  place.map((index) => at(index, () => [])),
  fc
    .tuple(place, fc.constantFrom("", " ", "\t", "  \t "), fc.constantFrom("", " ", "\t\t"))
    .map(([index, before, after]) => at(index, ([name, text]) => [[name, before + text + after]])),
  place.map((index) => at(index, ([name, text]) => [[name.toUpperCase(), text]])),
  place.map((index) => at(index, ([name, text]) => [[name.toLowerCase(), text]])),
  fc.constant((headers: readonly Header[]) => headers.toReversed()),
  fc
    .tuple(place, fc.nat({ max: 90 }))
    .map(([index, length]) => at(index, ([name, text]) => [[name, text.slice(0, length)]])),
);

const REFUSALS: readonly string[] = [
  "Malformed request",
  ERRORS.missingCredentials.text,
  ERRORS.invalidTimestamp.text,
  ERRORS.timestampInvalid.text,
  ERRORS.invalidKey.text,
  ERRORS.badSignature.text,
  "Request headers too large; nothing was carried out",
];

/** Changed headers are accepted only when they have the same meaning as the signed ones. @rule D2.1 */
export function signedHeadersSuite(world: FuzzedService): FuzzSuite {
  return createFuzzSuite({
    name: "the four signed headers",
    defaultRuns: 400,
    inputs: fc.array(CHANGES, { minLength: 1, maxLength: 3 }),
    async try(changes) {
      const signer = await world.trader();
      const nonce = world.nextNonce();
      const request = { method: "GET", target: ACCOUNT, body: "", nonce };
      const signed = Object.entries(world.headers(signer, request));
      const sent = changes.reduce<readonly Header[]>((headers, change) => change(headers), signed);
      const answer = await world.exchange(rawRequestText({ ...request, headers: sent }));
      if (meansTheSame(sent, signed)) {
        assert.equal(answer.status, 200, answer.body);
        return;
      }
      world.checker.status([400, 401, 431], answer);
      assert.ok(REFUSALS.includes(errorTextOf(answer)), answer.body);
    },
  });
}

/**
 * True when both lists mean the same in HTTP, which ignores the order and case of names and the spaces and tabs around
 * values.
 */
function meansTheSame(sent: readonly Header[], signed: readonly Header[]): boolean {
  const plain = (headers: readonly Header[]): readonly string[] =>
    headers.map(([name, text]) => `${name.toLowerCase()}:${text.replace(/^[ \t]+|[ \t]+$/g, "")}`);
  return plain(sent).toSorted().join("\n") === plain(signed).toSorted().join("\n");
}
