/**
 * Sends the usual signing mistakes to a live service, and checks each answer with the headers that help to find the
 * mistake. `docs/guides/sign-a-request.md` has the same table in the same order.
 */
import { createHash, createHmac } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness, START_MS } from "../../packages/server/src/testing/harness.ts";
import {
  type Reply,
  type Signer,
  sendRequest,
} from "../../packages/server/src/testing/signed-request.ts";
import { readText } from "../source-tree.ts";

const PAYOUTS = "/api/v1/trading/payouts";
const ORDERS = "/api/v1/trading/orders";
const SKEW_MS = 300_000;
const ORDER = {
  trade: { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 1_000 },
};

/** One request. A part such as the target or the body may be signed in another form than it is sent. */
interface Attempt {
  readonly method: string;
  readonly target: string;
  readonly signedTarget: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: string;
  readonly signedBody: string;
  readonly secret: string;
  readonly atEnd: string;
  readonly encoding: "base64" | "hex";
}

let service: Harness;
beforeAll(async () => {
  service = await openHarness();
  await service.quote("BTCUSD", 50_000, 50_000);
  return async () => {
    await service.close();
  };
});

/** A correct request except for the given parts. */
function attempt(wrong: Partial<Attempt>): Attempt {
  const target = wrong.target ?? `${PAYOUTS}?limit=10`;
  const body = wrong.body ?? "";
  return {
    method: "GET",
    target,
    signedTarget: target,
    body,
    signedBody: body,
    timestamp: String(START_MS),
    nonce: crypto.randomUUID(),
    secret: service.signer.secret,
    atEnd: "",
    encoding: "base64",
    ...wrong,
  };
}

function send(signer: Signer, made: Attempt): Promise<Reply> {
  const { method, signedTarget, timestamp, nonce, signedBody, atEnd } = made;
  const parts = ["v1", method, signedTarget, timestamp, nonce, sha256(signedBody)];
  const hmac = createHmac("sha256", made.secret).update(parts.join("\n") + atEnd);
  const headers = {
    "X-Service-Key-Id": signer.keyId,
    "X-Service-Timestamp": timestamp,
    "X-Service-Nonce": nonce,
    "X-Service-Signature": `v1=${hmac.digest(made.encoding)}`,
    "Content-Type": "application/json",
  };
  const { port } = service;
  return sendRequest({ port, method, path: made.target, headers }, made.body);
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const compact = JSON.stringify(ORDER);
const spaced = JSON.stringify(ORDER, null, 2);

interface Mistake {
  readonly mistake: string;
  readonly wrong: () => Partial<Attempt>;
  readonly status: number;
  readonly error: string;
  /** The parts in which the headers `X-Service-…` of the answer differ from what the client signed. */
  readonly shown: readonly ("target" | "body" | "time")[];
}

const MISTAKES: readonly Mistake[] = [
  {
    mistake: "seconds",
    wrong: () => ({ timestamp: String(START_MS / 1_000) }),
    status: 401,
    error: "Invalid timestamp",
    shown: ["time"],
  },
  {
    mistake: "hex digest",
    wrong: () => ({ encoding: "hex" }),
    status: 401,
    error: "Bad signature",
    shown: [],
  },
  {
    mistake: "re-serialized body",
    wrong: () => ({ method: "POST", target: ORDERS, body: spaced, signedBody: compact }),
    status: 401,
    error: "Bad signature",
    shown: ["body"],
  },
  {
    mistake: "missing query",
    wrong: () => ({ signedTarget: PAYOUTS }),
    status: 401,
    error: "Bad signature",
    shown: ["target"],
  },
  {
    mistake: "wrong secret",
    wrong: () => ({ secret: "sk_of_another_key" }),
    status: 401,
    error: "Bad signature",
    shown: [],
  },
  {
    mistake: "stale clock",
    wrong: () => ({ timestamp: String(START_MS - SKEW_MS - 1) }),
    status: 401,
    error: "Timestamp invalid",
    shown: ["time"],
  },
  {
    mistake: "reused nonce",
    wrong: () => ({ nonce: "used-before" }),
    status: 409,
    error: "Nonce",
    shown: [],
  },
  {
    mistake: "newline at the end",
    wrong: () => ({ atEnd: "\n" }),
    status: 401,
    error: "Bad signature",
    shown: [],
  },
];

describe("the eight usual mistakes of signing", () => {
  beforeAll(async () => {
    expect((await send(service.signer, attempt({ nonce: "used-before" }))).status).toBe(200);
  });

  test.each(MISTAKES)("the mistake $mistake gets $status $error [D2.help]", async (row) => {
    const made = attempt(row.wrong());
    const reply = await send(service.signer, made);
    expect([reply.status, reply.json()]).toEqual([row.status, { error: row.error }]);
    expect(shownDifferences(made, reply)).toEqual(row.shown);
  });

  test.each(MISTAKES)("a request is carried out without the mistake: $mistake", async (row) => {
    const { target, method, body } = attempt(row.wrong());
    const reply = await send(service.signer, attempt({ target, method, body }));
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"success":true')]);
  });

  test("a secret with a newline at its end, as in a file, is another secret", async () => {
    const secret = `${service.signer.secret}\n`;
    const reply = await send(service.signer, attempt({ secret }));
    expect([reply.status, reply.json()]).toEqual([401, { error: "Bad signature" }]);
  });

  test("the guide shows each step of a known signature", () => {
    const guide = readText("docs/guides/sign-a-request.md");
    const vectors: readonly Record<string, string>[] = JSON.parse(
      readText("packages/contract/fixtures/signature-vectors.json"),
    );
    const { secret = "", body, bodySha256, canonical, signature = "" } = vectors[2] ?? {};
    const hmac = Buffer.from(signature.slice("v1=".length), "base64").toString("hex");
    for (const printed of [bodySha256, canonical, hmac, signature]) {
      expect(guide).toContain(`\n\`\`\`text\n${printed}\n\`\`\`\n`);
    }
    for (const given of [secret, body]) expect(guide).toContain(given);
  });

  test("the guide lists the mistakes in this order with these answers", () => {
    const rows = readText("docs/guides/sign-a-request.md").matchAll(
      /^\| \d \| \*\*([^*]+)\*\*[^|]*\| (\d+) `([^`]+)` \|/gm,
    );
    expect(
      [...rows].map(([, mistake, status, error]) => ({ mistake, status: Number(status), error })),
    ).toEqual(MISTAKES.map(({ mistake, status, error }) => ({ mistake, status, error })));
  });
});

/** The parts that a client finds to differ when it compares the headers `X-Service-…` with what it signed. */
function shownDifferences(made: Attempt, { headers }: Reply): Mistake["shown"] {
  const { "x-service-seen-target": target, "x-service-seen-body-sha256": body } = headers;
  const serverTimeMs = Number(headers["x-service-server-time-ms"]);
  const offMs = Math.abs(serverTimeMs - Number(made.timestamp));
  return [
    ...(target !== undefined && target !== made.signedTarget ? (["target"] as const) : []),
    ...(body !== undefined && body !== sha256(made.signedBody) ? (["body"] as const) : []),
    ...(offMs > SKEW_MS ? (["time"] as const) : []),
  ];
}
