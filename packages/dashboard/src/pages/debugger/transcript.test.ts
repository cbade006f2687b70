import { readFileSync } from "node:fs";
import { diagnose, NOTHING_SEEN } from "@propgate/sdk";
import { describe, expect, test } from "vitest";
import { fieldsOf, readTranscript } from "./transcript.ts";

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: string;
  readonly canonical: string;
  readonly signature: string;
}

const FIXTURES = new URL("../../../../contract/fixtures/signature-vectors.json", import.meta.url);
const VECTORS: readonly Vector[] = JSON.parse(readFileSync(FIXTURES, "utf8"));

function rawRequest({ method, target, timestamp, nonce, signature, body }: Vector): string {
  return [
    `${method} ${target} HTTP/1.1`,
    "Host: trade.example.com",
    "X-Acme-Key-Id: pk_1",
    `X-Acme-Timestamp: ${timestamp}`,
    `X-Acme-Nonce: ${nonce}`,
    `X-Acme-Signature: ${signature}`,
    "",
    body,
  ].join("\n");
}

describe("a pasted request is read and checked [S5.canonical]", () => {
  test.each(VECTORS)("a pasted request is read and checked: $name", async (vector) => {
    const { sent } = readTranscript(rawRequest(vector));
    if (sent === null) throw new Error("no request was read");
    const { secret } = vector;
    const nowMs = Number(vector.timestamp);
    const evidence = { secret, signedCanonical: null, seen: NOTHING_SEEN, nowMs };
    const right = await diagnose({ sent, ...evidence });
    expect(right).toMatchObject({ verdict: "valid", canonical: vector.canonical });
    const ended = { ...sent, body: new TextEncoder().encode(`${vector.body}\n`) };
    const wrong = await diagnose({ sent: ended, ...evidence });
    expect(wrong.verdict).toBe("wrong");
    expect(wrong.findings.map(({ part }) => part)).toEqual(["body"]);
  });
});

const CURL = `* Connected to 127.0.0.1
> GET /api/v1/trading/payouts?limit=2 HTTP/1.1
> Host: 127.0.0.1:8787
> User-Agent: curl/8.5.0
> X-Service-Key-Id: pk_1
> X-Service-Timestamp: 1700000000000
> X-Service-Nonce: n1
> X-Service-Signature: v1=abc=
>
* Request completely sent off
< HTTP/1.1 401 Unauthorized
< X-Service-Server-Time-Ms: 1700000000500
< X-Service-Seen-Target: /api/v1/trading/payouts
< X-Service-Seen-Body-Sha256: e3b0
<
{"error":"Bad signature"}`;

describe("the output of curl -v", () => {
  test("the output of curl -v has the request and the service's view of it", () => {
    const { sent, seen, status } = readTranscript(CURL);
    expect(sent).toMatchObject({
      method: "GET",
      target: "/api/v1/trading/payouts?limit=2",
      host: "127.0.0.1:8787",
      timestamp: "1700000000000",
      nonce: "n1",
      signature: "v1=abc=",
    });
    expect(sent?.body).toHaveLength(0);
    expect(status).toBe(401);
    expect(seen).toEqual({
      target: "/api/v1/trading/payouts",
      bodySha256: "e3b0",
      timeMs: 1_700_000_000_500,
    });
  });

  test("an answer alone is read with or without its first line", () => {
    const seen = { target: "/x", bodySha256: null, timeMs: null };
    const whole = "HTTP/1.1 401 Unauthorized\nX-Acme-Seen-Target: /x\n\n{}";
    expect(readTranscript(whole)).toEqual({ sent: null, seen, status: 401 });
    expect(readTranscript("x-acme-seen-target: /x")).toEqual({ sent: null, seen, status: null });
  });

  test.each(["", "hello", "Bad signature"])(
    "%j contains neither a request nor an answer",
    (text) => {
      expect(readTranscript(text)).toEqual({ sent: null, seen: NOTHING_SEEN, status: null });
    },
  );
});

test("a pasted GET empties the body of the request before it, and a POST without a body keeps it", () => {
  const bodyAfter = (method: string): string => {
    const [vector] = VECTORS;
    if (vector === undefined) throw new Error("there are no vectors");
    const text = rawRequest({ ...vector, method, body: "" });
    return { body: "of an earlier request", ...fieldsOf(readTranscript(text)) }.body;
  };
  expect([bodyAfter("GET"), bodyAfter("POST")]).toEqual(["", "of an earlier request"]);
});
