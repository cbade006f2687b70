import { describe, expect, test } from "vitest";
import { type DatabaseOutage, databaseWithOutage } from "../../../testing/database-outage.ts";
import { expectDescribedAnswer } from "../../../testing/described-answer.ts";
import { openHarness } from "../../../testing/harness.ts";
import { openTestDatabase } from "../../../testing/open-test-database.ts";

describe("GET events answers 503", () => {
  test("GET events answers 503 while the database that holds the journal is away, without any event [S7.R1] [D9.events]", async () => {
    const outage: DatabaseOutage = { text: "h.head_hash, j.*", when: "before" };
    const service = await openHarness({
      database: databaseWithOutage(await openTestDatabase(), outage),
    });
    const reply = await service.get("events");
    expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "1"]);
    expect(Object.keys(reply.json() as object)).toEqual(["error"]);
    expectDescribedAnswer("getEvents", reply);
    outage.when = "never";
    expect((await service.get("events")).status).toBe(200);
    await service.close();
  });
});
