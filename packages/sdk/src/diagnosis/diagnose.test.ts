import { createHash, createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Digests, webDigests } from "../digests.ts";
import { type Diagnosis, diagnose, type Evidence } from "./diagnose.ts";
import { NOTHING_SEEN, readRequest, readSeen } from "./read-request.ts";
import type { Sent } from "./sent.ts";

const SECRET = "propgate_sk_0123456789abcdefghijklmnopqrstuvwxyz-ABCDEF2g2KuK";
const NOW = 1_700_000_000_000;
const ORDER = '{"trade":{"execution_type":"MARKET","trade_pair":"BTCUSD"}}';

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Signs any lines, as a client with a mistake might. */
function hmac(lines: readonly string[] | string, secret = SECRET): Buffer {
  const text = typeof lines === "string" ? lines : lines.join("\n");
  return createHmac("sha256", secret).update(text).digest();
}

function sentBy(given: Partial<Omit<Sent, "body">> & { body?: string }): Sent {
  return {
    method: "POST",
    target: "/api/v1/trading/orders",
    timestamp: String(NOW),
    nonce: "00112233445566778899AABBCCDDEEFF",
    signature: "",
    host: "trade.example.com",
    keyId: "pk_1",
    ...given,
    body: new TextEncoder().encode(given.body ?? ORDER),
  };
}

/** The digests of `node:crypto`. They equal WebCrypto's, but are synchronous. */
const nodeDigests: Digests = {
  sha256: (bytes) => createHash("sha256").update(bytes).digest(),
  hmac: (key) => (message) => createHmac("sha256", key).update(message).digest(),
};

const EVIDENCE = { secret: SECRET, signedCanonical: null, seen: NOTHING_SEEN, nowMs: NOW };

function diagnosed(sent: Sent, more: Partial<Evidence> = {}): Promise<Diagnosis> {
  return diagnose({ sent, ...EVIDENCE, ...more }, nodeDigests);
}

const TIME = String(NOW);
const NONCE = "00112233445566778899AABBCCDDEEFF";
const RIGHT = ["v1", "POST", "/api/v1/trading/orders", TIME, NONCE, sha256(ORDER)] as const;

function withLine(index: number, value: string): readonly string[] {
  return RIGHT.map((line, at) => (at === index ? value : line));
}

const base64 = (digest: Buffer): string => `v1=${digest.toString("base64")}`;

describe("a signature is explained by what was signed [S5.canonical]", () => {
  const spaced = '{"trade": {"execution_type": "MARKET", "trade_pair": "BTCUSD"}}';
  test.each([
    ["method", "lower case", base64(hmac(withLine(1, "post")))],
    ["method", "GET was signed", base64(hmac(withLine(1, "GET")))],
    ["target", "whole URL", base64(hmac(withLine(2, `https://trade.example.com${RIGHT[2]}`)))],
    ["target", "prefix /api/v1 was not", base64(hmac(withLine(2, "/trading/orders")))],
    ["timestamp", "seconds were signed", base64(hmac(withLine(3, "1700000000")))],
    ["timestamp", "read twice", base64(hmac(withLine(3, String(NOW - 3))))],
    ["nonce", "lower case", base64(hmac(withLine(4, NONCE.toLowerCase())))],
    ["body", "other spacing", base64(hmac(withLine(5, sha256(spaced))))],
    ["body", "as if it were empty", base64(hmac(withLine(5, sha256(""))))],
    [
      "body",
      "newline at its end that was not sent",
      base64(hmac(withLine(5, sha256(`${ORDER}\n`)))),
    ],
    [
      "body",
      "indented by 2",
      base64(hmac(withLine(5, sha256(JSON.stringify(JSON.parse(ORDER), null, 2))))),
    ],
    ["body", "upper case", base64(hmac(withLine(5, sha256(ORDER).toUpperCase())))],
    ["body", "the body itself", base64(hmac(withLine(5, ORDER)))],
    ["canonical string", "newline at its end", base64(hmac(`${RIGHT.join("\n")}\n`))],
    ["canonical string", "backslash", base64(hmac(RIGHT.join("\\n")))],
    ["canonical string", "CRLF", base64(hmac(RIGHT.join("\r\n")))],
    ["canonical string", "v1, is missing", base64(hmac(RIGHT.slice(1)))],
    ["secret", "newline at its end", base64(hmac(RIGHT, `${SECRET}\n`))],
    ["secret", "without its propgate_sk_", base64(hmac(RIGHT, SECRET.slice(12)))],
    ["secret", "key id was used", base64(hmac(RIGHT, "pk_1"))],
    ["signature", "hex instead of base64", `v1=${hmac(RIGHT).toString("hex")}`],
    ["signature", "v1= before it is missing", hmac(RIGHT).toString("base64")],
    ["signature", "base64 of the hex text", `v1=${btoa(hmac(RIGHT).toString("hex"))}`],
  ])("diagnose finds a mistake in the %s: %s", async (part, words, signature) => {
    const { verdict, findings } = await diagnosed(sentBy({ signature }));
    expect(verdict).toBe("wrong");
    expect(findings).toHaveLength(1);
    expect(findings[0]?.part).toBe(part);
    expect(findings[0]?.problem).toContain(words);
  });

  test("a missing query is named, and three simultaneous mistakes are all named", async () => {
    const target = "/api/v1/trading/payouts?limit=2";
    const lines = ["v1", "GET", "/api/v1/trading/payouts", "1700000000", NONCE, sha256("")];
    const sent = sentBy({ method: "GET", target, body: "" });
    const one = base64(hmac(["v1", "GET", "/api/v1/trading/payouts", TIME, NONCE, sha256("")]));
    expect(
      (await diagnosed({ ...sent, signature: one })).findings.map(({ problem }) => problem),
    ).toEqual(["the query string was not signed"]);
    const three = `v1=${hmac(lines).toString("hex")}`;
    expect(
      (await diagnosed({ ...sent, signature: three })).findings.map(({ part }) => part).toSorted(),
    ).toEqual(["signature", "target", "timestamp"]);
  });
});

describe("problems beside the signature", () => {
  const right = sentBy({ signature: base64(hmac(RIGHT)) });

  test("a correct request is valid", async () => {
    expect(await diagnosed(right)).toMatchObject({ verdict: "valid", findings: [] });
  });

  test("WebCrypto finds the same mistakes as Node's crypto", async () => {
    const secret = await diagnose({ ...EVIDENCE, sent: right }, webDigests);
    expect(secret).toMatchObject({ verdict: "valid", findings: [] });
    const empty = sentBy({
      signature: `v1=${hmac(withLine(3, "1700000000"), "").toString("hex")}`,
    });
    const { findings } = await diagnose({ ...EVIDENCE, sent: empty }, webDigests);
    expect(findings.map(({ part }) => part).toSorted()).toEqual([
      "secret",
      "signature",
      "timestamp",
    ]);
  });

  test("another secret is named as the likely cause when no mistake explains it", async () => {
    const { verdict, findings } = await diagnosed({
      ...right,
      signature: base64(hmac(RIGHT, "other")),
    });
    expect(verdict).toBe("unexplained");
    expect(findings[0]?.part).toBe("secret");
  });

  test.each([
    ["1700000000", "timestamp", "in seconds"],
    ["1700000000000.5", "timestamp", "a fraction"],
    ["2023-11-14T22:13:20Z", "timestamp", "a date"],
    ["1699999699999", "clock", "300 s behind"],
    ["1700000301000", "clock", "301 s ahead"],
  ])(
    "diagnose reports the timestamp %s although its signature is correct [D2.2]",
    async (timestamp, part, words) => {
      const signature = base64(hmac(withLine(3, timestamp)));
      const { findings } = await diagnosed({ ...right, timestamp, signature });
      expect(findings).toHaveLength(1);
      expect(findings[0]?.part).toBe(part);
      expect(findings[0]?.problem).toContain(words);
    },
  );

  test.each(["1699999700000", "1700000300000"])(
    "timestamp %s is within 5 minutes",
    async (timestamp) => {
      const signature = base64(hmac(withLine(3, timestamp)));
      expect((await diagnosed({ ...right, timestamp, signature })).verdict).toBe("valid");
    },
  );

  test("differences between sent and received are named", async () => {
    const seen = readSeen(
      "HTTP/1.1 401 Unauthorized\r\nX-Acme-Seen-Target: /orders\r\nX-Acme-Seen-Body-Sha256: abc\r\n\r\n",
    );
    const findings = (await diagnosed(right, { seen })).findings;
    expect(findings.map(({ part }) => part)).toEqual(["target", "body"]);
  });

  test("a canonical string is compared line by line without the secret", async () => {
    const lines = withLine(2, "/api/v1/trading/order");
    const compared = await diagnosed(right, { secret: null, signedCanonical: lines.join("\n") });
    expect(compared.findings).toHaveLength(1);
    expect(compared.findings[0]).toMatchObject({
      part: "target",
      problem: '"/api/v1/trading/order" was signed instead of "/api/v1/trading/orders"',
    });
    const ended = await diagnosed(right, {
      secret: null,
      signedCanonical: `${RIGHT.join("\n")}\n`,
    });
    expect(ended.findings.map(({ problem }) => problem)).toEqual(["it has a newline at its end"]);
  });
});

describe("a raw request is read", () => {
  test("readRequest accepts CRLF and any brand word, and keeps the body's exact bytes", async () => {
    const raw = `POST /api/v1/trading/orders HTTP/1.1\r\nHost: a.example:81\r\nx-acme-key-id: pk_9\r\nX-Acme-Timestamp: 17\r\nX-ACME-NONCE: n\r\nX-Acme-Signature: v1=abc=\r\n\r\n{"ü": 1}\n`;
    const sent = readRequest(new TextEncoder().encode(raw));
    const body = "body" in sent ? new TextDecoder().decode(sent.body) : null;
    expect(body).toBe('{"ü": 1}\n');
    expect(sent).toMatchObject({
      method: "POST",
      target: "/api/v1/trading/orders",
      host: "a.example:81",
      keyId: "pk_9",
      timestamp: "17",
      nonce: "n",
      signature: "v1=abc=",
    });
  });

  test("readRequest accepts the output of curl -v", async () => {
    const raw = "> GET /api/v1/trading/account HTTP/1.1\n> Host: h\n> X-Service-Nonce: n1\n>\n";
    expect(readRequest(new TextEncoder().encode(raw))).toMatchObject({
      method: "GET",
      nonce: "n1",
    });
  });

  test("readRequest returns the first line of a text that is not a request", async () => {
    expect(readRequest(new TextEncoder().encode("hello\n"))).toEqual({ firstLine: "hello" });
  });
});
