import { beforeEach, describe, expect, test } from "vitest";
import { type Harness, OWNER, openHarness } from "../../testing/harness.ts";
import { createOperatorClient, type OperatorClient } from "../../testing/operator-client.ts";

let service: Harness;
let operator: OperatorClient;

beforeEach(async () => {
  service = await openHarness();
  operator = createOperatorClient(service);
  return () => service.close();
});

const open = (body: object, key?: string) =>
  operator.call("POST", "/accounts", {
    body: { size: 1e5, ...body },
    ...(key === undefined ? {} : { key }),
  });
const setMax = (owner: string, accountsMax: unknown) =>
  operator.call("PATCH", `/owners/${owner}`, { body: { accountsMax } });
const evaluation = async () => {
  const { data } = (await service.get("account")).json() as {
    readonly data: { readonly evaluation: Record<string, unknown> };
  };
  const { activeAccounts, activeAccountsCount, activeAccountsMax } = data.evaluation;
  return [activeAccounts, activeAccountsCount, activeAccountsMax];
};

describe("the maximum of an owner's accounts [D13.accountLimit]", () => {
  test("an owner's own maximum comes before the service's, and an opening past it is refused", async () => {
    const ownerId = "ann";
    expect((await setMax(ownerId, 2)).body.data).toEqual({ ownerId, accountsMax: 2 });
    expect((await open({ ownerId, provisioned: false })).status).toBe(200);
    expect((await open({ ownerId }, "second")).status).toBe(200);
    const third = await open({ ownerId });
    expect([third.status, third.body]).toEqual([
      409,
      {
        error: "ownerId: has 2 open accounts, and the maximum is 2; send override to open another",
        code: "account_limit",
        field: "ownerId",
        details: { ownerId, max: 2, active: 2 },
      },
    ]);
    expect((await open({ ownerId }, "second")).headers.get("idempotent-replayed")).toBe("true");
    const passed = await open({ ownerId, override: true });
    expect(passed.status).toBe(200);
    const { items } = await operator.data("GET", "/audit?deed=accounts.open&limit=1");
    expect(items).toMatchObject([{ detail: "override", succeeded: true }]);
    const { accountId } = passed.body.data as { readonly accountId: string };
    await operator.data("POST", `/accounts/${accountId}/close`, {});
    expect((await open({ ownerId })).status).toBe(409);
    expect((await setMax(ownerId, null)).status).toBe(200);
    expect((await open({ ownerId })).status).toBe(200);
  });

  test("a sale that is repeated past the maximum hears that its account exists [D13.externalIds]", async () => {
    await setMax("dee", 1);
    const sale = { ownerId: "dee", externalId: "order-1" };
    const first = await open(sale);
    const { accountId } = first.body.data as { readonly accountId: string };
    const again = await open(sale);
    expect([again.status, again.body.code, again.body.details]).toEqual([
      409,
      "external_id_taken",
      { accountId },
    ]);
  });

  test("of openings at the same moment, only as many as the maximum succeed", async () => {
    await setMax("ben", 3);
    const ends = await Promise.all(Array.from({ length: 10 }, () => open({ ownerId: "ben" })));
    expect(ends.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(ends.filter(({ body }) => body.code === "account_limit")).toHaveLength(7);
  });

  test("a program has a maximum of its own", async () => {
    const { versions } = await operator.data("GET", "/programs/classic");
    const [{ program }] = versions as [{ readonly program: object }];
    await operator.data("POST", "/programs", {
      ...program,
      id: "one",
      version: 1,
      accountsPerOwner: 1,
    });
    const sold = { ownerId: "cleo", programId: "one" };
    expect((await open(sold)).status).toBe(200);
    expect((await open(sold)).body.code).toBe("account_limit");
    expect((await open({ ownerId: "cleo" })).status).toBe(200);
    await setMax("cleo", 3);
    expect((await open(sold)).status).toBe(200);
    expect((await open(sold)).body.details).toEqual({ ownerId: "cleo", max: 3, active: 3 });
  });

  test("an account shows the accounts of its owner, and a maximum that is not below them", async () => {
    expect(await evaluation()).toEqual(["1/5", 1, 5]);
    await setMax(OWNER, 0);
    expect(await evaluation()).toEqual(["1/1", 1, 0]);
    await setMax(OWNER, 7);
    expect(await evaluation()).toEqual(["1/7", 1, 7]);
  });

  test.each([{}, { accountsMax: -1 }, { accountsMax: 1.5 }, { accountsMax: "1" }])(
    "%j is no maximum",
    async (body) => {
      const { status, body: answer } = await operator.call("PATCH", "/owners/ann", { body });
      expect([status, answer.field]).toEqual([400, "accountsMax"]);
    },
  );
});

test("an account without a maximum shows its owner's accounts twice [D13.accountLimit] [D13.activeAccounts]", async () => {
  const free = await openHarness({ accountsPerOwner: null });
  const { data } = (await free.get("account")).json() as {
    readonly data: { readonly evaluation: Record<string, unknown> };
  };
  expect(data.evaluation).toMatchObject({ activeAccounts: "1/1", activeAccountsMax: null });
  await free.close();
});
