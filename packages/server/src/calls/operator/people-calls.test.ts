import { beforeAll, describe, expect, test } from "vitest";
import { createDashboardClient, TEST_PASSWORD } from "../../testing/dashboard-client.ts";
import { type Harness, openHarness } from "../../testing/harness.ts";
import { createOperatorClient, type OperatorClient } from "../../testing/operator-client.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

let service: Harness;
let operator: OperatorClient;

beforeAll(async () => {
  service = await openHarness();
  operator = createOperatorClient(service);
  return () => service.close();
});

describe("the operator's people", () => {
  test("the operator's people are added, given a link, and listed by name", async () => {
    const zoe = await operator.data("POST", "/people", { name: "Zoë", role: "operator" });
    const ann = await operator.data("POST", "/people", {
      name: "ann",
      role: "owner",
      ownerId: "owner-1",
    });
    const createdAtMs = service.time.clock.now();
    expect([ann, zoe]).toEqual([
      {
        personId: expect.any(String),
        name: "ann",
        role: "owner",
        ownerId: "owner-1",
        createdAtMs,
        disabledAtMs: null,
        externalId: null,
      },
      {
        personId: expect.any(String),
        name: "Zoë",
        role: "operator",
        ownerId: null,
        createdAtMs,
        disabledAtMs: null,
        externalId: null,
      },
    ]);
    const people = await operator.data(
      "GET",
      `/people?personId=${String(ann.personId)},${String(zoe.personId)}&sort=-name`,
    );
    expect(people).toEqual({ items: [ann, zoe], next: null, total: 2 });
    const link = await operator.data("POST", `/people/${String(ann.personId)}/link`, {});
    expect(link).toEqual({
      url: expect.stringMatching(new RegExp(`^http://127.0.0.1:${service.port}/link#[\\w-]{43}$`)),
      expiresAtMs: createdAtMs + 86_400_000,
    });
    const token = String(link.url).split("#")[1];
    const page = createDashboardClient(service);
    await page.data("POST", "/link/use", { token, password: TEST_PASSWORD });
    expect(await page.data("GET", "/session")).toMatchObject({ person: { name: "ann" } });
  });

  test("an owner without accounts gets an owner's id of its own", async () => {
    const { ownerId } = await operator.data("POST", "/people", { name: "Own", role: "owner" });
    expect(ownerId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("the operator's people are disabled and enabled; disabling signs them out", async () => {
    const bob = await service.signIn("owner", { name: "Bob" });
    const at = `/people/${bob.person.personId}`;
    const disabled = await operator.data("POST", `${at}/disable`);
    expect(disabled).toMatchObject({ name: "Bob", disabledAtMs: service.time.clock.now() });
    await service.time.pass(1000);
    expect(await operator.data("POST", `${at}/disable`)).toEqual(disabled);
    expect((await bob.refusal("GET", "/session"))[0]).toBe(401);
    expect(await operator.refusal("POST", `${at}/link`)).toEqual([
      409,
      "The person is disabled; enable it first",
    ]);
    expect(await operator.data("POST", `${at}/enable`)).toMatchObject({ disabledAtMs: null });
    await bob.data("POST", "/sign-in", { name: "bob", password: TEST_PASSWORD });
  });

  test("the operator's people cannot share a name, case-insensitively", async () => {
    await operator.data("POST", "/people", { name: "Straße", role: "owner" });
    for (const name of ["STRAßE", "straße", "Ｓtraße"]) {
      expect(await operator.refusal("POST", "/people", { name, role: "operator" })).toEqual([
        409,
        "name: is already taken",
      ]);
    }
  });

  test.each([
    [{}, "name: is required"],
    [{ name: " x", role: "owner" }, "name: must not begin or end with a space"],
    [{ name: "x\n", role: "owner" }, "name: must not contain control characters"],
    [{ name: "x".repeat(65), role: "owner" }, "name: must have at most 64 characters"],
    [{ name: "ow\u200Bner", role: "owner" }, "name: must contain only visible characters"],
    [
      { name: "\u043Ewner", role: "operator" },
      "name: must use the letters of one script, so that names cannot look alike",
    ],
    [
      { name: "operator token root", role: "owner" },
      "name: must not be a name that the audit has for tokens or the service",
    ],
    [{ name: "x" }, "role: is required"],
    [{ name: "x", role: "king" }, "role: must be one of owner, operator"],
    [{ name: "x", role: "operator", ownerId: "a" }, "ownerId: an operator has no accounts"],
    [{ name: "x", role: "owner", password: "a" }, "password: no such field"],
  ])("%j is refused by the field", async (body, problem) => {
    expect(await operator.refusal("POST", "/people", body)).toEqual([400, problem]);
  });

  test.each([UNKNOWN, "bob", "%00"])("the id %s is unknown", async (id) => {
    for (const deed of ["link", "disable", "enable"]) {
      const refusal = await operator.refusal("POST", `/people/${id}/${deed}`);
      expect(refusal).toEqual([404, "Person not found"]);
    }
  });

  test("a link leads to the address that a browser shows", async () => {
    const behind = await openHarness({ publicUrl: "https://trade.example.com" });
    const { person } = await behind.signIn("operator");
    const link = await createOperatorClient(behind).data("POST", `/people/${person.personId}/link`);
    expect(link.url).toMatch(/^https:\/\/trade\.example\.com\/link#[\w-]{43}$/);
    await behind.close();
  });
});
