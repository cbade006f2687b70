import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { verifyJournal } from "../../packages/ledger/src/trading/journal/verify-journal.ts";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import { signedHeaders } from "../../packages/server/src/testing/signed-request.ts";
import { propertySettings } from "../environment/depth.ts";
import { until } from "../eventually.ts";
import { type RawAnswer, sendBytes } from "./send-bytes.ts";

/**
 * The targets of the requests. The tests send requests as bytes, so that a request can have a form that no client
 * library would send.
 */
const ACCOUNT = "/api/v1/trading/account";
const ORDERS = "/api/v1/trading/orders";
const ORDER = JSON.stringify({
  trade: { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 100 },
});
const MALFORMED = '{"error":"Malformed request"}';
const LATE = '{"error":"Request not complete in time; nothing was carried out"}';
const LOG_ERROR = 50;

let service: Harness;
/**
 * A service with a short timeout, for requests that never end. On a busy machine it could time out complete requests,
 * so the other tests use `service`.
 */
let impatient: Harness;
beforeAll(async () => {
  service = await openHarness({ edge: { requestTimeoutMs: 300_000, headersTimeoutMs: 300_000 } });
  await service.quote("BTCUSD", 50_000, 50_010);
  impatient = await openHarness({ edge: { requestTimeoutMs: 1_000 } });
  return async () => {
    for (const one of [service, impatient]) {
      expect(one.logged.filter((line) => JSON.parse(line).level >= LOG_ERROR)).toEqual([]);
      expect(await verifyJournal(one.database, "all")).toMatchObject({ broken: [] });
      await one.close();
    }
  };
});

describe("requests as bytes [S1.envelope] [D2.body]", () => {
  test.each([
    ["an unknown expectation", () => post({ lines: ["Expect: miracles"] })],
    ["no Host", () => get(ACCOUNT).replace("Host: x\r\n", "")],
    ["a tunnel", () => "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["another protocol", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["a length that is not a number", () => post().replace(/(?<=Length: )\d+/, "-1")],
    ["a length beyond numbers", () => post().replace(/(?<=Length: )\d+/, "9".repeat(30))],
    ["a length and chunks", () => post({ lines: ["Transfer-Encoding: chunked"] })],
    ["an unknown encoding", () => chunked("gzip", "0\r\n\r\n")],
    ["a chunk without size", () => chunked("chunked", "zz\r\n{}\r\n0\r\n\r\n")],
    ["an invalid target", () => get("?")],
    ["a target of bytes that are not valid text", () => get(`${ACCOUNT}?x=\xe9`)],
    ["a body that ends too early", () => post().slice(0, -5)],
  ])("%s is answered 400 in the envelope, once, and the connection closes", async (_, bytes) => {
    const answers = await exchange(bytes());
    expect(answers).toMatchObject([{ status: 400, body: MALFORMED }]);
  });

  test.each([
    ["a request line", "GET /api"],
    ["a head", `GET ${ACCOUNT} HTTP/1.1\r\nHost: x\r\nX-Service`],
    ["a body of a preview", () => post().replace("/orders", "/preview").slice(0, -5)],
  ])("%s that never ends is timed out [D2.body]", async (_, bytes) => {
    const sent = typeof bytes === "string" ? bytes : bytes();
    const answers = await sendBytes(impatient.port, sent, "keepOpen");
    expect(answers).toMatchObject([{ status: 408, body: LATE }]);
  });

  test.each([
    ["the body", () => post().slice(0, -5)],
    ["the headers", () => `POST ${ORDERS} HTTP/1.1\r\nHost: x\r\nX-Service`],
    ["the headers, after a read", () => `${get("/health")}POST ${ORDERS}?x=1 HTTP/1.1\r\nHost:`],
  ])(
    "an order without the end of %s gets no 408 but a 500 that says that nothing was carried out [S7.statuses]",
    async (_, bytes) => {
      const answers = await sendBytes(impatient.port, bytes(), "keepOpen");
      expect(answers.at(-1)).toMatchObject({ status: 500, body: LATE });
      expect(answers.at(-1)?.head).toContain("Retry-After: 1");
    },
  );

  test.each([
    ["absolute", `http://x.example:8080${ORDERS}`],
    ["absolute, with a long host", `http://${"x".repeat(240)}.example:8080${ORDERS}`],
    ["escaped", "/%61pi/v1/trading/orders"],
    ["followed by a long query", `${ORDERS}?x=${"y".repeat(400)}`],
    ["followed by a fragment", `${ORDERS}#x`],
  ])(
    "an order whose target is %s gets no 408 and no 431, as with the usual target [S7.statuses]",
    async (_, target) => {
      const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nX-Service`;
      const late = await sendBytes(impatient.port, head, "keepOpen");
      expect(late).toMatchObject([{ status: 500, body: LATE }]);
      const large = await sendBytes(service.port, `${head}: ${"a".repeat(20_000)}`, "keepOpen");
      expect(large.map(({ status }) => status)).toEqual([500]);
    },
  );

  test.each([
    ["account?x=1", 200],
    ["receipts/unused", 200],
    ["orders/unknown", 404],
    ["preview", 405],
    ["nowhere", 404],
  ])(
    "a target with a host or with escapes is answered as /api/v1/trading/%s is, with %d",
    async (path, status) => {
      const answerTo = async (target: string) => {
        const [answer] = await exchange(get(target));
        const allow = /^Allow: .*$/m.exec(answer?.head ?? "")?.[0];
        return { status: answer?.status, allow, body: path === "account?x=1" ? "" : answer?.body };
      };
      const plain = await answerTo(`/api/v1/trading/${path}`);
      expect(plain.status).toBe(status);
      expect(await answerTo(`http://x.example:8080/api/v1/trading/${path}`)).toEqual(plain);
      expect(await answerTo(`/%61pi/v1/tradin%67/${path}`)).toEqual(plain);
    },
  );

  test("a request whose announced body never arrives completely is not carried out, not even without the body", async () => {
    const cut = (method: string, target: string, nonce: string) => {
      const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
      const headers = signedHeaders(impatient.signer, {
        method,
        target,
        nonce,
        body: "",
        timestamp: String(impatient.time.clock.now()),
      });
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      return { nonce, head: head + lines.join("") };
    };
    const read = cut("GET", ACCOUNT, "cut-read");
    const order = cut("POST", ORDERS, "cut-order");
    for (const { head } of [read, order]) {
      await sendBytes(impatient.port, `${head}Content-Length: 9\r\n\r\n{`, "close");
      await sendBytes(impatient.port, `${head}Content-Length: 9\r\n\r\n{`, "keepOpen");
      await sendBytes(
        impatient.port,
        `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
        "close",
      );
    }
    const nonces = await impatient.database.query(
      "select nonce from nonces where nonce like 'cut-%'",
      [],
    );
    expect(nonces).toEqual([]);
    const again = () => impatient.call(ACCOUNT, { nonce: read.nonce });
    await until(async () => (await again()).status === 200);
  });

  test("an answered request whose body never arrives is not answered twice", async () => {
    const calls = [
      "POST /operator/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n{",
      "POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n{",
      post({ lines: ["X-More: 1"] }).replace(/(?<=Length: )\d+/, "99999999"),
    ];
    const answers = await Promise.all(
      calls.map((bytes) => sendBytes(impatient.port, bytes, "keepOpen")),
    );
    expect(answers.map((several) => several.map(({ status }) => status))).toEqual([
      [401],
      [404],
      [400],
    ]);
  });

  test("an order is answered with its result, even when bad bytes follow it", async () => {
    for (const rest of ["garbage\r\n\r\n", "x", "GET / HTTP/9.9\r\n\r\n"]) {
      const [first, ...more] = await exchange(post() + rest, "keepOpen");
      expect(first?.status).toBe(200);
      expect(more).toMatchObject([{ status: 400, body: MALFORMED }]);
    }
  });

  test("requests in one packet are all answered, in order", async () => {
    const answers = await exchange(post() + get(ACCOUNT) + get("/nowhere") + post() + get(ACCOUNT));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 200]);
  });

  test("a client that half-closes still gets its answer", async () => {
    expect((await exchange(post())).map(({ status }) => status)).toEqual([200]);
    const body = `${ORDER.length.toString(16)}\r\n${ORDER}\r\n0\r\n\r\n`;
    expect((await exchange(chunked("chunked", body))).map(({ status }) => status)).toEqual([200]);
  });

  test("Expect: 100-continue is answered, then the order", async () => {
    const answers = await exchange(post({ lines: ["Expect: 100-continue"] }));
    expect(answers.map(({ status }) => status)).toEqual([100, 200]);
  });

  test("any target is answered, and the signature covers the bytes that were sent", async () => {
    const part = fc.oneof(
      fc.constantFrom(
        "/",
        "//",
        "%",
        "%00",
        "%2f",
        "%zz",
        "..",
        ";",
        "#",
        "?",
        "&",
        "accountId=",
        ACCOUNT,
      ),
      fc.string({ unit: "grapheme-ascii", maxLength: 8 }),
    );
    const target = fc
      .array(part, { maxLength: 6 })
      .map((parts) => `/${parts.join("")}`.replace(/[^\x21-\x7e]/g, ""));
    const base = fc.constantFrom(
      "",
      ACCOUNT,
      `${ACCOUNT}?`,
      `${ORDERS}`,
      "http://x/",
      "/operator/v1",
    );
    await fc.assert(
      fc.asyncProperty(base, target, async (front, back) => {
        const [answer] = await exchange(get(`${front}${back}`));
        expect([200, 400, 401, 403, 404, 405, 429]).toContain(answer?.status);
        if (answer?.status === 200) return;
        expectEnvelope(answer?.body ?? "", front === "/operator/v1" ? [["error", "code"]] : []);
      }),
      propertySettings(400),
    );
  });

  test("any bytes in the headers are answered", async () => {
    const value = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
      fc.constantFrom("", " ", "\t", "\xff\xfe", "a".repeat(9000), "1767614400000"),
    );
    const names = fc.constantFrom("Key-Id", "Timestamp", "Nonce", "Signature");
    const headers = fc.array(fc.tuple(names, value), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(headers, fc.boolean(), async (lines, alsoSigned) => {
        const hostile = lines.map(([name, text]) => `X-Service-${name}: ${text}\r\n`).join("");
        const head = `GET ${ACCOUNT} HTTP/1.1\r\nHost: x\r\n${hostile}`;
        const [answer] = await exchange(
          `${head}${alsoSigned ? signed("GET", ACCOUNT, "") : ""}\r\n`,
        );
        expect([400, 401, 431]).toContain(answer?.status);
        expectEnvelope(answer?.body ?? "");
      }),
      propertySettings(300),
    );
  });
});

/**
 * Checks that a body has the fields of an error. `others` are further sets of fields: each refusal of the operator's
 * interface has a code as well.
 */
function expectEnvelope(body: string, others: readonly (readonly string[])[] = []): void {
  const keys = Object.keys(JSON.parse(body) as object);
  expect([["error"], ["error", "required_scope"], ...others]).toContainEqual(keys);
}

let nonces = 0;
function signed(method: string, target: string, body: string): string {
  nonces += 1;
  const timestamp = String(service.time.clock.now());
  const request = { method, target, body, timestamp, nonce: `bytes-${nonces}` };
  const headers = Object.entries(signedHeaders(service.signer, request));
  return headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
}

function get(target: string, more = ""): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\n${more}${signed("GET", target, "")}\r\n`;
}

function post(given: { readonly lines?: readonly string[] } = {}): string {
  const lines = [
    `POST ${ORDERS} HTTP/1.1`,
    "Host: x",
    "Content-Type: application/json",
    `Content-Length: ${ORDER.length}`,
    ...(given.lines ?? []),
  ];
  return `${lines.join("\r\n")}\r\n${signed("POST", ORDERS, ORDER)}\r\n${ORDER}`;
}

function chunked(encoding: string, body: string): string {
  const head = `POST ${ORDERS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  return `${head}Transfer-Encoding: ${encoding}\r\n${signed("POST", ORDERS, ORDER)}\r\n${body}`;
}

const exchange = (
  bytes: string,
  mode: "close" | "keepOpen" = "close",
): Promise<readonly RawAnswer[]> => sendBytes(service.port, bytes, mode);
