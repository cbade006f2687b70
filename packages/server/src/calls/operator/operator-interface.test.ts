import { beforeAll, describe, expect, test } from "vitest";
import { createFileJudge } from "../../../../ledger/src/trading/journal/journal-export.ts";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../testing/harness.ts";
import {
  createOperatorClient,
  type OperatorAnswer,
  type OperatorClient,
} from "../../testing/operator-client.ts";

let service: Harness;

beforeAll(async () => {
  service = await openHarness();
  return () => service.close();
});

const call: OperatorClient["call"] = (...given) => createOperatorClient(service).call(...given);

async function data(answer: Promise<OperatorAnswer>): Promise<Record<string, unknown>> {
  const { status, body } = await answer;
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data as Record<string, unknown>;
}

const openAccount = async (body: object = { size: 100_000 }): Promise<string> =>
  String((await data(call("POST", "/accounts", { body }))).accountId);

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

describe("the operator's OpenAPI document [D12.operatorOpenApi]", () => {
  test("the document is served without a token and without the envelope, and not again to a client that has it", async () => {
    const url = `http://127.0.0.1:${service.port}/operator/v1/openapi.json`;
    const first = await fetch(url);
    expect([first.status, await first.json()]).toMatchObject([
      200,
      { openapi: "3.1.0", servers: [{ url: "/operator/v1" }] },
    ]);
    const etag = first.headers.get("etag") ?? "";
    expect((await fetch(url, { headers: { "If-None-Match": etag } })).status).toBe(304);
  });
});

describe("the operator's token", () => {
  test.each([
    ["none", null],
    ["another", OPERATOR_TOKEN.replace(/.$/, "0")],
    ["a longer one", `${OPERATOR_TOKEN}x`],
    ["an empty one", ""],
  ])("%s opens nothing", async (_name, token) => {
    const answer = await call("POST", "/accounts", { body: { size: 100_000 }, token });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      error: "Operator token missing or wrong",
      code: "unauthorized",
    });
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test("the operator's token is never in the log, and neither is a secret; every call leaves a line", async () => {
    // Refusals within one second share a log line, so the refusals of earlier tests must be more than a second old.
    await service.time.pass(1_000);
    await service.time.pass(1_000);
    const before = service.logged.length;
    const accountId = await openAccount();
    const key = await data(call("POST", "/keys", { body: { accountId, scopes: ["trade:read"] } }));
    await call("GET", "/health", { token: "op_wrong_0123456789abcdef012345678" });
    const logged = service.logged.slice(before);
    const lines = logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map((line) => [line.audit, line.status])).toEqual([
      ["accounts.open", 200],
      ["keys.create", 200],
      ["refused", 401],
    ]);
    expect(logged.join("")).not.toContain(OPERATOR_TOKEN);
    expect(logged.join("")).not.toContain("op_wrong");
    expect(logged.join("")).not.toContain(String(key.secret));
  });
});

describe("the audit's chain [D10.auditChained]", () => {
  test("the audit's chain is proved against a head that health has shown, and an altered line is named", async () => {
    await openAccount();
    const { audit: head } = await data(call("GET", "/health"));
    const verify = (body: object) => data(call("POST", "/audit/verify", { body }));
    expect(await verify({ head })).toMatchObject({ broken: null });
    const { auditId } = head as { readonly auditId: number };
    await service.database.query("update audit set by_name = 'other' where audit_id = $1", [
      auditId,
    ]);
    expect(await verify({})).toMatchObject({
      broken: { auditId, problem: "the line is not as it was written" },
    });
    await service.database.query("delete from audit", []);
    const wrong = await call("POST", "/audit/verify", {
      body: { head: { auditId: 1, hash: "x" } },
    });
    expect([wrong.status, wrong.body.error]).toEqual([
      400,
      "head.hash: must be 64 hexadecimal digits",
    ]);
  });
});

describe("accounts", () => {
  test("one is opened with what was asked for, and listed", async () => {
    const accountId = await openAccount({
      size: 50_000,
      assetClass: "crypto",
      drawdownCriteria: "trailing",
      ownerId: "ann",
      provisioned: false,
    });
    const page = await data(call("GET", "/accounts"));
    expect(page.next).toBeNull();
    const lines = page.items as Record<string, unknown>[];
    expect(lines.find((line) => line.accountId === accountId)).toMatchObject({
      ownerId: "ann",
      status: "provisioning",
      phase: "challenge",
      size: 50_000,
      balance: 50_000,
      programId: "classic",
      programVersion: 2,
      assetClass: "crypto",
      drawdownCriteria: "trailing",
    });
  });

  test("accounts are listed page by page, each once", async () => {
    for (let count = 0; count < 3; count += 1) await openAccount();
    const whole = (await data(call("GET", "/accounts"))).items as { accountId: string }[];
    const seen: string[] = [];
    let after = "";
    do {
      const page = await data(call("GET", `/accounts?limit=2${after && `&after=${after}`}`));
      seen.push(...(page.items as { accountId: string }[]).map((line) => line.accountId));
      after = typeof page.next === "string" ? page.next : "";
    } while (after !== "");
    expect(seen).toEqual(whole.map((line) => line.accountId));
  });

  test("one goes from provisioning to active to eliminated, each once [D8.states]", async () => {
    const id = await openAccount({ size: 100_000, provisioned: false });
    await data(call("POST", `/accounts/${id}/provision`));
    const again = await call("POST", `/accounts/${id}/provision`);
    expect([again.status, again.body.error]).toEqual([409, "The account is provisioned already"]);
    const reason = "Broke the house rules";
    await data(call("POST", `/accounts/${id}/eliminate`, { body: { reason } }));
    const ended = await call("POST", `/accounts/${id}/eliminate`, { body: { reason } });
    expect([ended.status, ended.body.error]).toEqual([409, "The account is eliminated"]);
  });

  test("a closed one stays closed", async () => {
    const id = await openAccount();
    await data(call("POST", `/accounts/${id}/close`));
    expect((await call("POST", `/accounts/${id}/provision`)).status).toBe(409);
  });

  test("what no program sells is refused in words, and nothing is opened", async () => {
    const before = ((await data(call("GET", "/accounts"))).items as unknown[]).length;
    const answer = await call("POST", "/accounts", { body: { size: 666 } });
    expect([answer.status, answer.body.error]).toEqual([
      400,
      "size: must be whole dollars from 1000 to 1000000, not 666",
    ]);
    const program = await call("POST", "/accounts", { body: { size: 100_000, programId: "gold" } });
    expect([program.status, program.body.error]).toEqual([
      400,
      "programId: must be one of classic",
    ]);
    expect(((await data(call("GET", "/accounts"))).items as unknown[]).length).toBe(before);
  });

  test.each([
    ["provision", {}],
    ["close", {}],
    ["promote", { phase: "challenge" }],
  ])("an unknown one cannot be asked to %s", async (deed, body) => {
    for (const id of [UNKNOWN, "x", "'%20or%201=1"]) {
      expect((await call("POST", `/accounts/${id}/${deed}`, { body })).status).toBe(404);
    }
  });
});

describe("keys [S5.R3]", () => {
  test("one is made with its secret, listed without it, and revoked once", async () => {
    const accountId = await openAccount();
    const body = {
      accountId,
      scopes: ["trade:read", "trade:place"],
      label: "desk",
      addresses: ["10.0.0.0/8", "::1"],
      expiresAtMs: 4_000_000_000_000,
    };
    const made = await data(call("POST", "/keys", { body }));
    expect(made.keyId).toMatch(/^pk_[0-9A-Za-z]{20}$/);
    expect(made.secret).toMatch(/^propgate_sk_[A-Za-z0-9_-]{49}$/);
    const listed = await call("GET", `/keys?accountId=${accountId}`);
    expect(JSON.stringify(listed.body)).not.toContain(String(made.secret));
    expect(listed.body.data).toMatchObject({
      items: [{ ...body, keyId: made.keyId, revokedAtMs: null, ownerId: expect.any(String) }],
      total: 1,
    });
    const path = `/keys/${String(made.keyId)}`;
    expect((await call("DELETE", path)).status).toBe(200);
    expect((await call("DELETE", path)).status).toBe(404);
  });

  test("one whose orders the failure guard pauses shows until when, and no longer [S8.guard]", async () => {
    const listed = async (query = "") =>
      (await data(call("GET", `/keys?accountId=${service.accountId}${query}`))).items;
    const trade = { execution_type: "MARKET", trade_pair: "NOPAIR", order_type: "LONG" };
    for (let count = 0; count < 30; count += 1) await service.order(trade);
    const cooldownUntilMs = service.time.clock.now() + 900_000;
    expect(await listed("&cooldownUntilMs=set")).toMatchObject([{ cooldownUntilMs }]);
    await service.time.pass(900_000);
    expect(await listed("&cooldownUntilMs=set")).toEqual([]);
    expect(await listed()).toMatchObject([{ cooldownUntilMs: null }]);
  });

  test.each(["%00", "a%00b", "pk_", `pk_${"x".repeat(19)}%00`, `pk_${"x".repeat(21)}`])(
    "what no key was ever called is not found: %s",
    async (id) => {
      const { status, body } = await call("DELETE", `/keys/${id}`);
      expect([status, body]).toEqual([
        404,
        { error: "Key not found, or revoked before", code: "not_found" },
      ]);
    },
  );

  test("one for an unknown account is not made", async () => {
    const body = { accountId: UNKNOWN, scopes: ["trade:read"] };
    expect((await call("POST", "/keys", { body })).status).toBe(404);
  });
});

describe("wrong input is named by its field [D12.errorCodes]", () => {
  const scopes = ["trade:read"];
  test.each([
    ["/accounts", {}, "size: is required"],
    ["/accounts", { size: "100000" }, "size: must be a number above 0"],
    ["/accounts", { size: -1 }, "size: must be a number above 0"],
    ["/accounts", { size: 1e12 }, "size: must be at most 100000000"],
    [
      "/accounts",
      { size: 1e5, assetClass: "bonds" },
      "assetClass: must be one of crypto, forex, indices, equities, commodities, all_markets",
    ],
    ["/accounts", { size: 1e5, tier: 4 }, "tier: must be 1, 2 or 3"],
    ["/accounts", { size: 1e5, provisioned: "yes" }, "provisioned: must be true or false"],
    ["/accounts", { size: 1e5, ownerId: "a\u0000b" }, "ownerId: must be 1 to 64 letters"],
    ["/accounts", { size: 1e5, sise: 1 }, "sise: no such field"],
    ["/accounts", [], "body: must be a JSON object"],
    ["/webhooks", "x", "body: must be a JSON object"],
    ["/audit/verify", { head: 1 }, "head: must be a JSON object"],
    [
      "/webhooks",
      { url: `https://firm.test/${"x".repeat(2_048)}` },
      "url: must have at most 2048 characters",
    ],
    ["/accounts", { size: 1e5, programId: 1 }, "programId: must be a string"],
    [`/accounts/${UNKNOWN}/offer-pro`, {}, "proAccountSize: is required"],
    [
      `/accounts/${UNKNOWN}/offer-pro`,
      { proAccountSize: "200000" },
      "proAccountSize: must be a number above 0",
    ],
    [`/accounts/${UNKNOWN}/promote`, {}, "phase: is required"],
    [
      `/accounts/${UNKNOWN}/promote`,
      { phase: "proTransition" },
      "phase: must be one of challenge, funded, transition, proChallenge, proFunded",
    ],
    [`/accounts/${UNKNOWN}/close`, { phase: null }, "phase: must be one of challenge"],
    [`/accounts/${UNKNOWN}/promote`, { phase: "challenge", to: "funded" }, "to: no such field"],
    ["/payouts/x", {}, "status: is required"],
    ["/payouts/x", { status: "lost" }, "status: must be one of pending, processing, paid, failed"],
    ["/payouts/x", { status: "paid", rail: "" }, "rail: must not be empty"],
    ["/payouts/x", { status: "paid", amount: 5 }, "amount: no such field"],
    [`/accounts/${UNKNOWN}/eliminate`, {}, "reason: is required"],
    [`/accounts/${UNKNOWN}/eliminate`, { reason: "" }, "reason: must not be empty"],
    [`/accounts/${UNKNOWN}/eliminate`, { reason: "  " }, "reason: must not be blank"],
    [
      `/accounts/${UNKNOWN}/eliminate`,
      { reason: "LIQUIDATED\u200b" },
      "reason: must contain only visible characters",
    ],
    ["/payouts/po_1", { status: "paid", rail: " " }, "rail: must not be blank"],
    [
      "/payouts/po_1",
      { status: "paid", provider: "stripe\u202e" },
      "provider: must contain only visible characters",
    ],
    [
      "/payouts/po_1",
      { status: "paid", reference: "\u2066wire" },
      "reference: must contain only visible characters",
    ],
    [
      "/prices/BTCUSD/halt",
      { reason: "bad\u200dfeed" },
      "reason: must contain only visible characters",
    ],
    ["/keys", { scopes }, "accountId: is required"],
    ["/keys", { accountId: "x", scopes }, "accountId: must be a uuid"],
    ["/keys", { accountId: UNKNOWN, scopes: [] }, "scopes: must name a scope"],
    [
      "/keys",
      { accountId: UNKNOWN, scopes: ["all"] },
      "scopes[0]: must be one of trade:read, trade:place",
    ],
    [
      "/keys",
      { accountId: UNKNOWN, scopes, addresses: ["10.0.0.0/33"] },
      "addresses[0]: must be an address or CIDR block",
    ],
    [
      "/keys",
      { accountId: UNKNOWN, scopes, addresses: ["::1", "10.1.2.3/8"] },
      "addresses[1]: must not have bits of a host; the block is 10.0.0.0/8",
    ],
    [
      "/keys",
      { accountId: UNKNOWN, scopes, label: "a\u202eb" },
      "label: must contain only visible characters",
    ],
    ["/keys", { accountId: UNKNOWN, scopes, label: " " }, "label: must not be blank"],
    [
      "/keys",
      { accountId: UNKNOWN, scopes, expiresAtMs: 946_684_800_000 },
      "expiresAtMs: must lie in the future",
    ],
    [
      "/keys",
      { accountId: UNKNOWN, scopes, expiresAtMs: 1_796_000_000 },
      "expiresAtMs: must be a time in Unix milliseconds between 2000 and 2100; 1796000000 looks like seconds",
    ],
    [
      "/keys",
      { accountId: UNKNOWN, scopes, expiresAtMs: 9e15 },
      "expiresAtMs: must be a time in Unix milliseconds between 2000 and 2100, not 9000000000000000",
    ],
    ["/journal/verify", { accountId: 5 }, "accountId: must be a uuid"],
    ["/journal/rebuild", { write: 1 }, "write: must be true or false"],
  ])("wrong input is named by its field: %s %j", async (path, body, problem) => {
    const answer = await call("POST", path, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(problem);
    expect(answer.body.field).toBe(problem.split(":")[0]);
    const isUnknown = problem.endsWith("no such field");
    expect(answer.body.code).toBe(isUnknown ? "unknown_field" : "invalid");
  });

  test.each(["/accounts/%ff", `/accounts/${"x".repeat(600)}`, "/nothing"])(
    "a path that leads nowhere gets a refusal with its code: %s",
    async (path) => {
      const answer = await call("GET", path);
      expect([answer.status, answer.body]).toEqual([
        404,
        { error: "Not found", code: "not_found" },
      ]);
    },
  );

  test("invalid JSON and a body that is too large are rejected", async () => {
    expect((await call("POST", "/accounts", { raw: "{size:1" })).body).toEqual({
      error: "body: is not valid JSON",
      code: "invalid",
      field: "body",
    });
    const large = await call("POST", "/accounts", { raw: " ".repeat(70_000) });
    expect([large.status, large.body]).toEqual([
      413,
      {
        error: "body: has more than 65536 bytes, which is the maximum; send less",
        code: "too_large",
        field: "body",
        details: { bytesMax: 65_536 },
      },
    ]);
  });

  test.each(["/catalogue/validate", "/programs", "/accounts"])(
    "what is nested without end is a mistake at %s, no fault",
    async (path) => {
      const raw = `${'{"classes":'.repeat(5_000)}1${"}".repeat(5_000)}`;
      const { status, body } = await call("POST", path, { raw });
      const error = "body: is nested more than 64 levels deep";
      expect([status, body]).toEqual([400, { error, code: "invalid", field: "body" }]);
    },
  );

  test.each([
    ["/accounts", '{"size":100000,"ownerId":"o","size":5000}', "size: is given twice"],
    ["/accounts", '{"size":1e999,"ownerId":"o"}', "size: must be a finite number"],
    ["/programs", '{"steps":[{"days":1,"days":2}]}', "steps[0].days: is given twice"],
    [
      "/programs",
      `{"steps":${"[".repeat(30)}${"]".repeat(30)},"id":1,"id":2}`,
      "id: is given twice",
    ],
    ["/catalogue/validate", '{"classes":{},"cl\\u0061sses":{}}', "classes: is given twice"],
  ])(
    "a name that is given twice, or a number without end, is refused at %s: %s",
    async (path, raw, error) => {
      const { status, body } = await call("POST", path, { raw });
      const [field] = error.split(":");
      expect([status, body]).toEqual([400, { error, code: "invalid", field }]);
    },
  );

  test.each([
    "accounts?limit=0",
    "accounts?limit=x",
    "accounts?limit=1001",
    "accounts?after=x",
    "payouts?limit=0",
    "payouts?after=x",
    "payouts?status=payed",
    "payouts?status=",
  ])("wrong input is named by its field: GET /%s", async (path) => {
    expect((await call("GET", `/${path}`)).status).toBe(400);
  });

  test("an unknown path is not found", async () => {
    expect((await call("GET", "/nothing")).status).toBe(404);
  });
});

describe("the journal", () => {
  test("the journal is verified and rebuilt for one account and for all", async () => {
    const accountId = await openAccount();
    const one = await data(call("POST", "/journal/verify", { body: { accountId } }));
    expect(one).toEqual({ accounts: 1, events: 1, broken: [] });
    const all = await data(call("POST", "/journal/verify"));
    expect(all.broken).toEqual([]);
    expect(all.accounts).toBeGreaterThan(1);
    const rebuilt = await data(call("POST", "/journal/rebuild"));
    expect(rebuilt).toEqual({ accounts: all.accounts, different: [], written: 0 });
  });

  test("the journal is exported as a file", async () => {
    const accountId = await openAccount();
    const answer = await fetch(
      `http://127.0.0.1:${service.port}/operator/v1/accounts/${accountId}/journal-export`,
      { headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } },
    );
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
    const judge = createFileJudge();
    const texts = (await answer.text()).split("\n");
    for (const text of texts.slice(0, -1)) judge.read(text);
    expect(judge.judgement()).toMatchObject({ lines: 1, judged: 1, different: null });
    for (const id of [UNKNOWN, "x"]) {
      const refused = await call("GET", `/accounts/${id}/journal-export`);
      expect([refused.status, refused.body.error]).toEqual([404, "Account not found"]);
    }
  });

  test("a changed line is found, with its account and number", async () => {
    const accountId = await openAccount();
    const store = (event: string) =>
      service.database.query("update journal set event = $2 where account_id = $1", [
        accountId,
        event,
      ]);
    const [line] = await service.database.query<{ readonly event: string }>(
      "select event from journal where account_id = $1",
      [accountId],
    );
    const written = line?.event ?? "";
    await store(written.replace("100000", "200000"));
    const proof = await data(call("POST", "/journal/verify", { body: { accountId } }));
    expect(proof.broken).toMatchObject([{ accountId, sequence: 1 }]);
    await store(written);
  });
});
