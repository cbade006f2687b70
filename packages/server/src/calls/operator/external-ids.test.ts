import { accountId } from "@propgate/core";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../ledger/src/storage/databases/database.ts";
import { externalId } from "../../../../ledger/src/storage/rows/external-id.ts";
import { createExternalIds } from "../../../../ledger/src/storage/stores/external-id-store.ts";
import { type Harness, OWNER, openHarness } from "../../testing/harness.ts";
import { openTestDatabase } from "../../testing/open-test-database.ts";
import { createOperatorClient, type OperatorClient } from "../../testing/operator-client.ts";

const never = accountId("00000000-0000-4000-8000-000000000007");

describe.each([1, 2])("external ids on %i databases [D13.externalIds]", (count) => {
  let service: Harness;
  let operator: OperatorClient;
  let others: readonly Database[];
  beforeEach(async () => {
    others = count === 1 ? [] : [await openTestDatabase()];
    service = await openHarness({ otherDatabases: others });
    operator = createOperatorClient(service);
    return () => service.close();
  });

  const open = (body: object) =>
    operator.call("POST", "/accounts", { body: { size: 1e5, ...body } });

  test("an account has its external id in all of its events, and no other account gets it", async () => {
    const first = await open({ externalId: "order-7", ownerId: "ann" });
    const { accountId: id } = first.body.data as { readonly accountId: string };
    const events = await operator.data("GET", `/events?after=0&accountId=${id}`);
    expect(events.items).toMatchObject([{ type: "account.opened", externalId: "order-7" }]);
    for (const ownerId of ["ann", "ben", "cleo"]) {
      const { status, body } = await open({ externalId: "order-7", ownerId });
      expect([status, body]).toEqual([
        409,
        {
          error: `externalId: "order-7" belongs to the account ${id}`,
          code: "external_id_taken",
          field: "externalId",
          details: { accountId: id },
        },
      ]);
    }
    expect((await open({ externalId: "Order-7" })).status).toBe(200);
    const { account } = await operator.data("GET", `/accounts/${id}`);
    expect(first.body.data).toEqual({ ...(account as object), newOwner: true });
  });

  test("of accounts that are opened at the same moment with one external id, one is opened", async () => {
    const ends = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        open({ externalId: "one", ownerId: `o${index % 3}` }),
      ),
    );
    expect(ends.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(7).fill(409),
    ]);
    const winner = ends.find(({ status }) => status === 200)?.body.data;
    for (const { body } of ends.filter(({ status }) => status === 409)) {
      expect(body.details).toEqual({ accountId: (winner as { accountId: string }).accountId });
    }
  });

  test("the search finds an account by a part of its external id", async () => {
    const ids = await Promise.all([
      open({ externalId: "Order-71", ownerId: "ann" }),
      open({ externalId: "order-72", ownerId: "ben" }),
      open({ ownerId: "cleo" }),
    ]);
    const [first, second] = ids.map(({ body }) => (body.data as { accountId: string }).accountId);
    const found = async (text: string) => {
      const { accounts } = await operator.data("GET", `/search?q=${text}`);
      return (accounts as readonly { accountId: string }[]).map(({ accountId: id }) => id);
    };
    expect((await found("rder-7")).toSorted()).toEqual([first, second].toSorted());
    expect(await found("ORDER-72")).toEqual([second]);
    expect(await found("order-73")).toEqual([]);
  });

  test("an account without an external id gets one, once", async () => {
    const ids = await Promise.all([open({ ownerId: "ann" }), open({ ownerId: "ben" })]);
    const [ann, ben] = ids.map(({ body }) => (body.data as { accountId: string }).accountId);
    const name = (id: string | undefined, externalId: string) =>
      operator.call("PATCH", `/accounts/${id}`, { body: { externalId } });
    for (const id of [ann, ben]) {
      const externalId = `of-${id}`;
      const named = (await name(id, externalId)).body.data;
      expect(named).toMatchObject({ accountId: id, externalId, status: "active" });
      expect(named).toEqual((await operator.data("GET", `/accounts/${id}`)).account);
      expect((await name(id, externalId)).status).toBe(200);
      const other = await name(id, "another");
      expect([other.status, other.body.code]).toEqual([409, "conflict"]);
    }
    expect((await name(ben, `of-${ann}`)).body).toMatchObject({
      code: "external_id_taken",
      details: { accountId: ann },
    });
    expect((await name(never, "x")).status).toBe(404);
    expect((await open({ externalId: "another" })).status).toBe(200);
  });

  test("an external id whose process died before it opened the account opens the next one", async () => {
    const claims = createExternalIds([service.database, ...others]);
    expect(await claims.claim(externalId("lost"), never)).toEqual({ is: "claimed" });
    const first = await open({ externalId: "lost", ownerId: OWNER });
    expect(first.body.data).toMatchObject({ accountId: never });
    const { status, body } = await open({ externalId: "lost", ownerId: OWNER });
    expect([status, body.details]).toEqual([409, { accountId: never }]);
  });

  test("a person has an external id of its own kind, from the beginning or later", async () => {
    await open({ externalId: "same" });
    const add = (name: string, externalId?: string) =>
      operator.call("POST", "/people", { body: { name, role: "owner", externalId } });
    const ann = (await add("ann", "same")).body.data as { readonly personId: string };
    expect(ann).toMatchObject({ name: "ann", externalId: "same" });
    const { personId } = ann;
    const taken = { code: "external_id_taken", field: "externalId", details: { personId } };
    expect(await add("ben", "same")).toMatchObject({ status: 409, body: taken });
    expect(await add("ann", "other")).toMatchObject({ status: 409, body: { field: "name" } });
    const ben = (await add("ben")).body.data as { readonly personId: string };
    expect(ben).toMatchObject({ externalId: null });
    const name = (id: string, given: unknown) =>
      operator.call("PATCH", `/people/${id}`, { body: { externalId: given } });
    expect(await name(ben.personId, "same")).toMatchObject({ status: 409, body: taken });
    expect((await name(ben.personId, "b")).body.data).toMatchObject({ externalId: "b" });
    expect((await name(ben.personId, "b")).status).toBe(200);
    expect(await name(ben.personId, "c")).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
    expect((await name(never, "d")).status).toBe(404);
    const listed = await operator.call("GET", "/people");
    expect(JSON.stringify(listed.body.data)).toContain('"externalId":"b"');
    const audit = await operator.data("GET", "/audit?deed=people.update&succeeded=true&limit=1");
    expect(audit.items).toMatchObject([{ subject: ben.personId, detail: "ben; external id b" }]);
  });

  test.each(["", "null", "set", "-a", ".a", "a b", "ä", "a".repeat(65), "a\u0000", 7, null, {}])(
    "%j is no external id and no owner's id",
    async (given) => {
      for (const [path, field] of [
        ["/accounts", "externalId"],
        ["/accounts", "ownerId"],
        ["/people", "externalId"],
        ["/people", "ownerId"],
      ] as const) {
        const base = path === "/people" ? { name: "x", role: "owner" } : { size: 1e5 };
        const { status, body } = await operator.call("POST", path, {
          body: { ...base, [field]: given },
        });
        expect([status, body.code, body.field]).toEqual([400, "invalid", field]);
      }
    },
  );
});
