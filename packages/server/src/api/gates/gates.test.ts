import { createHmac, createSecretKey } from "node:crypto";
import { parseQuery } from "@propgate/contract";
import { accountId, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import type { OpenedKey } from "../../../../access/src/keys/key-cache.ts";
import { signatureMatches } from "../../../../access/src/keys/signature-matches.ts";
import type { ApiKey } from "../../../../access/src/storage/api-key.ts";
import type { Admission } from "../admission.ts";
import { createRequestBody } from "../request-body.ts";
import { checkAccount } from "./account.ts";
import { checkBoundAccount } from "./bound-account.ts";
import { budgetOf } from "./budget.ts";
import { checkCredentials } from "./credentials.ts";
import { checkFailureGuard } from "./failure-guard.ts";
import { checkActiveKey, checkOpenableSecret, checkStillActiveKey } from "./key.ts";
import { checkNonce } from "./nonce.ts";
import { checkOffered } from "./offered.ts";
import { firstRejection } from "./order.ts";
import { checkReadBudget } from "./read-budget.ts";
import { checkReceiptBudget } from "./receipt-budget.ts";
import { checkRefusedOften } from "./refused-often.ts";
import { checkScope, hasScope } from "./scope.ts";
import { checkSignature } from "./signature.ts";
import { checkTimestampForm, checkTimestampSkew } from "./timestamp.ts";

const NOW = unixMs(1_767_614_400_000);
const MINUTES_5 = 300_000;
const OURS = accountId("5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11");
const OTHERS = "0b7c9a52-6d1e-4f0a-8c3d-5e9f1a2b4c6d";

const SENT = {
  keyId: "pk_x",
  timestamp: String(NOW),
  nonce: "n",
  signature: "v1=x",
};
const KEY: ApiKey = {
  keyId: "pk_x",
  accountId: OURS,
  scopes: ["read"],
  label: "",
  addresses: [],
  createdAtMs: NOW,
  expiresAtMs: null,
  revokedAtMs: null,
  pausedAtMs: null,
};
const MATERIAL = createSecretKey(Buffer.from("secret"));
const KNOWN: OpenedKey = { key: KEY, material: MATERIAL, allows: (from) => from === "127.0.0.1" };
const ADMITTED: Admission = {
  admittedAtMs: unixMs(0),
  isKeyActive: true,
  isFresh: true,
  readRank: null,
  receiptRank: null,
  windowEndsAtMs: NOW + 1_000,
  refusedUntilMs: null,
  cooldownUntilMs: null,
  rejections: 0,
  account: null,
};
const admitted = (change: Partial<Admission>): { readonly admission: Admission } => ({
  admission: { ...ADMITTED, ...change },
});

describe("the gates before the key [D2.1] [D2.2] [D2.3]", () => {
  const missing = { error: "missingCredentials" };
  test.each<[string, Partial<typeof SENT>, unknown]>([
    ["all four", {}, null],
    ["no key id", { keyId: "" }, missing],
    ["no timestamp", { timestamp: "" }, missing],
    ["no signature", { signature: "" }, missing],
    ["no nonce", { nonce: "" }, missing],
    ["a nonce of 129 characters", { nonce: "n".repeat(129) }, missing],
    ["a nonce that is no ASCII", { nonce: "é" }, missing],
  ])("the gate of the credentials judges a request with %s", (_, change, rejection) => {
    expect(checkCredentials({ credentials: { ...SENT, ...change } })).toEqual(rejection);
  });

  test.each([
    [String(NOW), null],
    ["1767614400", { error: "invalidTimestamp" }],
    ["1767614400000.0", { error: "invalidTimestamp" }],
  ])("the gate of the timestamp judges %s", (timestamp, rejection) => {
    expect(checkTimestampForm({ credentials: { ...SENT, timestamp } })).toEqual(rejection);
  });

  const late = { error: "timestampInvalid" };
  test.each([
    [-MINUTES_5, null],
    [MINUTES_5, null],
    [-MINUTES_5 - 1, late],
    [MINUTES_5 + 1, late],
  ])("a timestamp that is %d ms beside the clock is judged [S5.R1]", (offMs, rejection) => {
    const sent = { ...SENT, timestamp: String(NOW + offMs) };
    expect(checkTimestampSkew({ credentials: sent, now: NOW })).toEqual(rejection);
  });
});

describe("the key [D2.4] [D2.5] [D2.6]", () => {
  test("a key is known and used from an allowed address [D8.keyLimits]", () => {
    expect(checkActiveKey({ known: KNOWN, address: "127.0.0.1" })).toBeNull();
    expect(checkActiveKey({ known: KNOWN, address: "10.0.0.1" })).toEqual({ error: "invalidKey" });
    expect(checkActiveKey({ known: null, address: "127.0.0.1" })).toEqual({ error: "invalidKey" });
  });

  test("a key has a secret that can be opened", () => {
    expect(checkOpenableSecret({ known: KNOWN })).toBeNull();
    expect(checkOpenableSecret({ known: { ...KNOWN, material: null } })).toEqual({
      error: "decryptFailed",
    });
    expect(checkOpenableSecret({ known: null })).toBeNull();
  });

  test("a key was revoked on no other node in the meantime", () => {
    expect(checkStillActiveKey(admitted({}))).toBeNull();
    expect(checkStillActiveKey(admitted({ isKeyActive: false }))).toEqual({ error: "invalidKey" });
  });

  const right = `v1=${createHmac("sha256", "secret").update("said").digest("base64")}`;
  test.each([
    ["the right one", right, true],
    ["without its tag", right.slice(3), false],
    ["one character more", `${right}=`, false],
    ["one character less", right.slice(0, -1), false],
    ["another one of its length", right.replace(/.(?==$)/, "!"), false],
    ["none", "", false],
  ])("a signature matches only when it is right: %s: %s", (_, header, matches) => {
    expect(signatureMatches(header, "said", MATERIAL)).toBe(matches);
    expect(checkSignature({ signatureMatches: matches })).toEqual(
      matches ? null : { error: "badSignature" },
    );
  });

  test("a signature covers exactly the received bytes", () => {
    expect(signatureMatches(right, "said ", MATERIAL)).toBe(false);
  });
});

describe("the gates behind admission [D2.7] [D2.8] [D2.9] [D2.11]", () => {
  test("a nonce is used once", () => {
    expect(checkNonce(admitted({ isFresh: true }))).toBeNull();
    expect(checkNonce(admitted({ isFresh: false }))).toEqual({ error: "nonceUsed" });
  });

  test("a key has the scopes it was made with", () => {
    expect(hasScope(KNOWN, "trade:read")).toBe(true);
    expect(hasScope(KNOWN, "trade:place")).toBe(false);
    const both: OpenedKey = { ...KNOWN, key: { ...KEY, scopes: ["read", "place"] } };
    expect(hasScope(both, "trade:place")).toBe(true);
    expect(checkScope({ known: KNOWN, scope: "trade:read" })).toBeNull();
    expect(checkScope({ known: KNOWN, scope: "trade:place" })).toEqual({
      error: "insufficientScope",
      requiredScope: "trade:place",
    });
  });

  test.each([
    ["getAccount", "reads"],
    ["getPayouts", "reads"],
    ["previewOrder", "reads"],
    ["getReceipt", "receipts"],
    ["placeOrder", null],
    ["cancelAllAfter", null],
  ] as const)("%s uses the budget %s [S8.orders] [D10.receiptBudget]", (endpoint, budget) => {
    expect(budgetOf(endpoint)).toBe(budget);
  });

  test.each([
    [null, null],
    [120, null],
    [121, { error: "rateLimited", retryAtMs: NOW + 1_000 }],
  ])("the read budget judges read %s of the minute", (readRank, rejection) => {
    expect(checkReadBudget(admitted({ readRank }))).toEqual(rejection);
  });

  test.each([
    [null, null],
    [60, null],
    [61, { error: "tooManyReceipts", retryAtMs: NOW + 1_000 }],
  ])("the budget judges receipt %s of the minute [D10.receiptBudget]", (receiptRank, rejection) => {
    expect(checkReceiptBudget(admitted({ receiptRank }))).toEqual(rejection);
  });

  test.each([
    ["placeOrder", null, null],
    ["placeOrder", NOW + 1, { error: "tooManyFailedRequests", retryAtMs: NOW + 1 }],
    ["getAccount", NOW + 1, { error: "rateLimited", retryAtMs: NOW + 1 }],
    ["getReceipt", NOW + 1, { error: "tooManyReceipts", retryAtMs: NOW + 1 }],
  ] as const)(
    "%s is judged by a refusal until %s [D10.pausedKey]",
    (endpoint, refusedUntilMs, rejection) => {
      expect(checkRefusedOften({ endpoint, ...admitted({ refusedUntilMs }) })).toEqual(rejection);
    },
  );

  const paused = { error: "tooManyFailedRequests", retryAtMs: NOW + 1 };
  test.each([
    ["placeOrder", null, null],
    ["placeOrder", NOW + 1, paused],
    ["placeOrder", NOW, null],
    ["getAccount", NOW + 1, null],
    ["previewOrder", NOW + 1, null],
  ] as const)("%s is judged with a pause until %s", (endpoint, cooldownUntilMs, rejection) => {
    const facts = { endpoint, now: NOW, ...admitted({ cooldownUntilMs }) };
    expect(checkFailureGuard(facts)).toEqual(rejection);
  });

  const gone = { error: "accountNotFound" };
  test.each([
    ["getAccount", "active", null],
    ["getAccount", "eliminated", null],
    ["getAccount", "closed", gone],
    ["placeOrder", "closed", gone],
    ["getAccount", "provisioning", gone],
    ["getTrades", "provisioning", gone],
    ["getPayouts", "provisioning", null],
    ["placeOrder", "provisioning", null],
    ["cancelAllAfter", "provisioning", null],
    ["previewOrder", "provisioning", null],
    ["getReceipt", "provisioning", null],
    ["getInstruments", "provisioning", gone],
    ["getQuotes", "provisioning", gone],
  ] as const)("%s is judged for an account that is %s", (endpoint, status, rejection) => {
    const there = admitted({
      account: { network: "embedded", status, version: 1, headHash: null },
    });
    expect(checkAccount({ endpoint, ...there })).toEqual(rejection);
  });

  test.each([
    ["getPayouts", "embedded", null],
    ["getPayouts", "vanta", gone],
    ["getTrades", "embedded", gone],
    ["placeOrder", "embedded", gone],
  ] as const)(
    "%s is judged for a closed account on %s [D13.closing]",
    (endpoint, network, rejection) => {
      const there = admitted({
        account: { network, status: "closed", version: 1, headHash: null },
      });
      expect(checkAccount({ endpoint, ...there })).toEqual(rejection);
    },
  );

  test.each(["getAccount", "getPayouts", "placeOrder"] as const)(
    "%s finds no account that is unknown, and refuses nothing for its network",
    (endpoint) => {
      const unknown = admitted({ account: null });
      expect(checkAccount({ endpoint, ...unknown })).toEqual(gone);
      expect(checkOffered({ endpoint: "previewOrder", ...unknown })).toBeNull();
    },
  );
});

describe("an endpoint that the account's network does not have [D9.notOffered]", () => {
  test.each([
    ["getQuotes", "vanta", "notOffered"],
    ["getCandles", "vanta", "notOffered"],
    ["getEvents", "vanta", null],
    ["previewOrder", "vanta", "notOffered"],
    ["placeOrder", "vanta", null],
    ["getInstruments", "vanta", null],
    ["getQuotes", "embedded", null],
    ["previewOrder", "embedded", null],
  ] as const)("%s of an account on %s is answered with %s", (endpoint, network, error) => {
    const there = admitted({ account: { network, status: "active", version: 1, headHash: null } });
    const rejection = checkOffered({ endpoint, ...there });
    expect(rejection?.error ?? null).toBe(error);
    if (error !== null) expect(rejection?.text).toMatch(/validator/);
  });
});

describe("the account that is named [D2.10]", () => {
  const different = { error: "differentAccount" };
  const malformed = { error: "malformedAccountId" };
  test.each([
    ["GET", "", "", null],
    ["GET", `accountId=${OURS}`, "", null],
    ["GET", `accountId=${OTHERS}`, "", different],
    ["GET", "accountId=x", "", different],
    ["GET", "", `{"accountId":"${OTHERS}"}`, null],
    ["POST", "", "{}", null],
    ["POST", "", "{", null],
    ["POST", "", `{"accountId":"${OURS.toUpperCase()}"}`, null],
    ["POST", "", `{"accountId":"${OTHERS}"}`, different],
    ["POST", "", '{"accountId":"x"}', malformed],
    ["POST", "", '{"accountId":null}', null],
    ["POST", "", `{"trade":{"accountId":"${OTHERS}"}}`, different],
    ["POST", "", `{"accountId":"${OURS}","trade":{"accountId":"x"}}`, malformed],
    ["POST", `accountId=${OTHERS}`, `{"accountId":"x"}`, different],
  ] as const)("the bound account judges %s ?%s %s", (method, query, body, rejection) => {
    const facts = { method, query: parseQuery(query), body: createRequestBody(Buffer.from(body)) };
    expect(checkBoundAccount({ accountId: OURS, ...facts })).toEqual(rejection);
  });
});

describe("gates in a row", () => {
  const gate = (place: number, error: "nonceUsed" | "invalidKey" | null) => ({
    place,
    name: String(place),
    check: () => (error === null ? null : ({ error } as const)),
  });

  test("the first rejection is the answer", () => {
    expect(firstRejection([], {})).toBeNull();
    expect(firstRejection([gate(1, null), gate(2, null)], {})).toBeNull();
    const several = [gate(1, null), gate(2, "invalidKey"), gate(3, "nonceUsed")];
    expect(firstRejection(several, {})).toEqual({ error: "invalidKey" });
  });
});
