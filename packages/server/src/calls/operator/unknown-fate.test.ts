import { beforeAll, describe, expect, test } from "vitest";
import { type DatabaseOutage, databaseWithOutage } from "../../testing/database-outage.ts";
import { type Harness, openHarness } from "../../testing/harness.ts";
import { openTestDatabase } from "../../testing/open-test-database.ts";
import { createOperatorClient } from "../../testing/operator-client.ts";

/** A part of the statement that commits commands. */
const COMMIT = "insert into journal";
const UNKNOWN =
  "It is not known whether the command was carried out. Look at the account before you try again";

describe("a command whose commit loses its answer", () => {
  const outage: DatabaseOutage = { text: COMMIT, when: "never" };
  let service: Harness;
  beforeAll(async () => {
    service = await openHarness({ database: databaseWithOutage(await openTestDatabase(), outage) });
    return () => service.close();
  });

  test("a command whose commit loses its answer gets a 503 that says so, and the audit and the log have it", async () => {
    const operator = createOperatorClient(service);
    outage.when = "answer";
    const at = `/accounts/${service.accountId}/close`;
    const { status, body } = await operator.call("POST", at).finally(() => {
      outage.when = "never";
    });
    expect([status, body.error]).toEqual([503, UNKNOWN]);
    expect((await operator.refusal("POST", at))[0]).toBe(409);
    const rows = await service.database.query(
      "select deed, subject, detail, succeeded from audit order by audit_id desc limit 2",
      [],
    );
    expect(rows[1]).toEqual({
      deed: "accounts.close",
      subject: service.accountId,
      detail: "not known whether it was carried out",
      succeeded: false,
    });
    const lines = service.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ msg }) => msg === "call failed")).toMatchObject({
      level: 50,
      path: "/operator/v1/accounts/:id/close",
      err: { type: "UnknownFate" },
    });
  });
});
