import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../testing/harness.ts";
import { createOperatorClient, type OperatorClient } from "../../testing/operator-client.ts";
import { OPERATOR_ROUTES } from "./operator-calls.ts";

let service: Harness;

beforeAll(async () => {
  service = await openHarness();
  return () => service.close();
});

const call: OperatorClient["call"] = (...given) => createOperatorClient(service).call(...given);

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

describe("query parameters [D12.operatorQuery]", () => {
  const targets = OPERATOR_ROUTES.map(
    ({ method, path, query }) => [method, path.replace(":id", UNKNOWN), query] as const,
  );

  test.each(targets)("%s %s rejects an unknown one with its name", async (method, path) => {
    const answer = await call(method, `${path}?nope=1`);
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: "nope: no such query parameter", code: "unknown_field", field: "nope" },
    ]);
  });

  test.each(
    targets.flatMap(([method, path, query]) => query.map((name) => [method, path, name] as const)),
  )("%s %s accepts its %s", async (method, path, name) => {
    const { body } = await call(method, `${path}?${name}=x`);
    expect(String(body.error)).not.toContain("no such query parameter");
  });

  test.each([
    ["state=active&limit=1", "state"],
    ["limit=1&Limit=1", "Limit"],
    ["constructor=1", "constructor"],
    ["limit=1&=x", ""],
    [`${"x".repeat(101)}=1`, "x".repeat(100)],
  ])("GET accounts?%s names it", async (query, name) => {
    const answer = await call("GET", `/accounts?${query}`);
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: `${name}: no such query parameter`, code: "unknown_field", field: name },
    ]);
  });

  test("a misspelt one carries nothing out", async () => {
    const operator = createOperatorClient(service);
    const { accountId } = await operator.data("POST", "/accounts", { size: 50_000 });
    expect((await call("POST", `/accounts/${String(accountId)}/close?forfit=1`)).status).toBe(400);
    const page = await operator.data("GET", `/accounts?q=${String(accountId)}`);
    expect(page.items).toMatchObject([{ accountId, status: "active" }]);
  });

  test("a token comes first", async () => {
    expect((await call("GET", "/accounts?nope=1", { token: null })).status).toBe(401);
  });
});
