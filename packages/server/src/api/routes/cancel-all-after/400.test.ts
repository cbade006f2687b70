import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST cancel-all-after answers 400 [D9.cancelAllAfter]", () => {
  const { service, call } = openEndpointUnderTest("cancelAllAfter");

  test.each([
    ["no JSON", "nonsense", "request body must be a JSON object"],
    ["no seconds", "{}", "'seconds' is required"],
    [
      "part of a second",
      '{"seconds":0.5}',
      "'seconds' must be a whole number from 1 to 86400, or 0",
    ],
    [
      "a day and a second",
      '{"seconds":86401}',
      "'seconds' must be a whole number from 1 to 86400, or 0",
    ],
    ["another action", '{"seconds":5,"action":"sell"}', "'action' must be one of cancel, flatten"],
    ["a wrong accountId", '{"accountId":"abc","seconds":5}', "'accountId' must be a uuid"],
  ])("POST cancel-all-after answers 400 to %s", async (_, body, error) => {
    const reply = await call({ body });
    expect([reply.status, reply.json()]).toEqual([400, { error }]);
  });

  test("POST cancel-all-after answers 400 to another Content-Type [D2.12]", async () => {
    const reply = await call({ headers: { "Content-Type": "text/plain" } });
    expect([reply.status, reply.text]).toEqual([
      400,
      '{"error":"Content-Type must be application/json"}',
    ]);
  });

  test("an account that is not provisioned or has ended cannot arm it [D8.states]", async () => {
    const early = await service().newAccount({ provisioned: false });
    const earlySigner = await service().newKey({ accountId: early });
    const body = JSON.stringify({ seconds: 60 });
    const waiting = await call({ body, signer: earlySigner });
    expect([waiting.status, waiting.json()]).toEqual([
      400,
      { error: "Account is not ready for trading (missing subaccount_id)" },
    ]);
    const ended = await service().newAccount();
    const endedSigner = await service().newKey({ accountId: ended });
    await service().accounts.eliminate(ended, "TEST");
    const reply = await call({ body, signer: endedSigner });
    expect([reply.status, reply.json()]).toEqual([
      400,
      { error: "The account is eliminated and takes no orders" },
    ]);
  });
});
