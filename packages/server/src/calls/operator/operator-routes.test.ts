import type { AuditLine, OperatorPage } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { createDashboardClient, type SignedInClient } from "../../testing/dashboard-client.ts";
import { type Harness, openHarness } from "../../testing/harness.ts";
import { createOperatorClient } from "../../testing/operator-client.ts";
import { OPERATOR_ROUTES } from "./operator-calls.ts";

let service: Harness;
let operator: SignedInClient;

beforeAll(async () => {
  service = await openHarness();
  operator = await service.signIn("operator", { name: "Olga" });
  return () => service.close();
});

async function openAccount(): Promise<string> {
  const { accountId } = await operator.data("POST", "/operator/accounts", { size: 50_000 });
  return String(accountId);
}

async function audit(query = ""): Promise<readonly AuditLine[]> {
  return (await operator.data<OperatorPage<AuditLine>>("GET", `/operator/audit${query}`)).items;
}

const CALLS = OPERATOR_ROUTES.map(({ method, path }) => [method, path] as const);

describe("who may use the console's calls", () => {
  test.each(CALLS)("%s %s rejects a client that is not signed in", async (method, path) => {
    const browser = createDashboardClient(service);
    expect(await browser.refusal(method, `/operator${path}`)).toEqual([401, "Not signed in"]);
  });

  test.each(CALLS)("%s %s rejects an owner with every body", async (method, path) => {
    const owner = await service.signIn("owner");
    const answer = await owner.refusal(
      method,
      `/operator${path.replace(":id", service.accountId)}`,
    );
    expect(answer).toEqual([403, "Only an operator may do this"]);
  });

  test.each(CALLS)(
    "%s %s rejects an unknown query parameter [D12.operatorQuery]",
    async (method, path) => {
      const target = `/operator${path.replace(":id", service.accountId)}?nope=1`;
      expect(await operator.refusal(method, target)).toEqual([
        400,
        "nope: no such query parameter",
      ]);
    },
  );

  test("an owner's attempt is in the audit, with what it was about", async () => {
    const owner = await service.signIn("owner", { name: "Mallory" });
    const path = `/operator/accounts/${service.accountId}/eliminate`;
    await owner.refusal("POST", path, { reason: "for fun" });
    const [line] = await audit("?deed=accounts.eliminate");
    expect(line).toMatchObject({
      by: "Mallory",
      role: "owner",
      subject: service.accountId,
      succeeded: false,
    });
  });

  test("the operator's token is no session, and a session no token", async () => {
    const { status } = await createOperatorClient(service).call("GET", "/accounts", {
      token: operator.cookie(),
    });
    expect(status).toBe(401);
  });
});

describe("what an operator does is written down", () => {
  test("the audit has an account's life, with the reason of its end", async () => {
    const accountId = await openAccount();
    const reason = "Broke the house rules";
    await operator.data("POST", `/operator/accounts/${accountId}/eliminate`, { reason });
    await operator.refusal("POST", `/operator/accounts/${accountId}/provision`);
    const lines = await audit(`?accountId=${accountId}`);
    const shared = { by: "Olga", role: "operator", subject: accountId, accountId };
    expect(lines).toMatchObject([
      { ...shared, deed: "accounts.provision", succeeded: false },
      { ...shared, deed: "accounts.eliminate", succeeded: true, detail: reason },
      { ...shared, deed: "accounts.open", succeeded: true, detail: null },
    ]);
  });

  test("the audit has a key by its id and scopes, never its secret", async () => {
    const body = { accountId: service.accountId, scopes: ["trade:read"] };
    const { keyId, secret } = await operator.data("POST", "/operator/keys", body);
    await operator.data("DELETE", `/operator/keys/${String(keyId)}`);
    const lines = await audit();
    expect(lines.slice(0, 2)).toMatchObject([
      { deed: "keys.revoke", subject: keyId, accountId: service.accountId },
      { deed: "keys.create", subject: keyId, accountId: service.accountId, detail: "trade:read" },
    ]);
    expect(JSON.stringify(lines)).not.toContain(String(secret));
  });

  test("the audit has no line of a read or a trial", async () => {
    const before = await audit();
    await operator.data("GET", "/operator/health");
    await operator.data("POST", "/operator/journal/verify");
    await operator.refusal("POST", "/operator/programs/validate", {});
    await operator.refusal("POST", "/operator/catalogue/validate", {});
    expect(await audit()).toEqual(before);
  });

  test("the audit is filtered by person and read page by page", async () => {
    const other = await service.signIn("operator", { name: "Otto" });
    const path = "/operator/accounts/00000000-0000-4000-8000-000000000000/close";
    await other.refusal("POST", path);
    expect((await audit("?by=Otto")).map(({ deed }) => deed)).toEqual([
      "accounts.close",
      "sign-in",
    ]);
    const whole = (await audit("?limit=500")).map(({ auditId }) => auditId);
    const seen: number[] = [];
    let after: string | null = null;
    do {
      const query: string = after === null ? "" : `&after=${after}`;
      const path = `/operator/audit?limit=3${query}`;
      const page = await operator.data<OperatorPage<AuditLine>>("GET", path);
      seen.push(...page.items.map(({ auditId }) => auditId));
      after = page.next;
    } while (after !== null);
    expect(seen).toEqual(whole);
  });

  test.each(["role=x", "person=x", "deed=", "atMsMin=0", "after=x", "limit=0"])(
    "GET audit?%s names the field",
    async (query) => {
      const [status, error] = await operator.refusal("GET", `/operator/audit?${query}`);
      expect([status, String(error).split(":")[0]]).toEqual([400, query.split("=")[0]]);
    },
  );
});

test("the search finds people by a part of their name", async () => {
  const found = await operator.data("GET", "/operator/search?q=OLG");
  expect(found.people).toEqual([
    { personId: operator.person.personId, name: "Olga", role: "operator" },
  ]);
});
