import { receiptPath } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { type DatabaseOutage, databaseWithOutage } from "../../../testing/database-outage.ts";
import { expectDescribedAnswer } from "../../../testing/described-answer.ts";
import { openHarness } from "../../../testing/harness.ts";
import { openTestDatabase } from "../../../testing/open-test-database.ts";

describe("GET receipts/{nonce} answers 503", () => {
  test("GET receipts/{nonce} answers 503 while the database is away, without a word about the order [S7.R1] [D9.receipts]", async () => {
    const outage: DatabaseOutage = { text: "left join receipts", when: "never" };
    const database = databaseWithOutage(await openTestDatabase(), outage);
    const service = await openHarness({ database });
    const ask = () => service.call(receiptPath("never-seen"));
    expect((await ask()).status).toBe(200);
    outage.when = "before";
    const reply = await ask();
    expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "1"]);
    expect(Object.keys(reply.json() as object)).toEqual(["error"]);
    expectDescribedAnswer("getReceipt", reply);
    await service.close();
  });
});
