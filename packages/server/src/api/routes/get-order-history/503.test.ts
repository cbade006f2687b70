import { describe, expect, test } from "vitest";
import { type DatabaseOutage, databaseWithOutage } from "../../../testing/database-outage.ts";
import { expectDescribedAnswer } from "../../../testing/described-answer.ts";
import { openHarness } from "../../../testing/harness.ts";
import { openTestDatabase } from "../../../testing/open-test-database.ts";

describe("GET order-history answers 503", () => {
  test("GET order-history answers 503 while the database that holds the journal is away [S7.R1]", async () => {
    const outage: DatabaseOutage = { text: "order_index", when: "before" };
    const service = await openHarness({
      database: databaseWithOutage(await openTestDatabase(), outage),
    });
    const reply = await service.get("order-history");
    expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "1"]);
    expect(Object.keys(reply.json() as object)).toEqual(["error"]);
    expectDescribedAnswer("getOrderHistory", reply);
    await service.close();
  });
});
