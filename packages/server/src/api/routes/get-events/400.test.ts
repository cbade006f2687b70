import type { EventsPage } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

const FORGED = "0123456789abcdef0123456789abcdef";

describe("GET events answers 400 [D9.cursor]", () => {
  const { service, call } = openEndpointUnderTest("getEvents");
  const problem = async (query: string) => {
    const reply = await service().call(`/api/v1/trading/events?${query}`);
    return [reply.status, reply.json()];
  };
  const refused = (error: string) => [400, { error }];

  test.each([
    ["wait=26", "'wait' must be whole seconds from 0 to 25"],
    ["limit=501", "'limit' must be an integer between 1 and 500"],
    ["types=order.fooled", "'types' names \"order.fooled\", which is not a type of event"],
    ["proof=2", "'proof' must be 0 or 1"],
    [
      "proof=1&types=order.filled",
      "'proof' must be 0 with 'types': without every line there is no proof",
    ],
    [
      "after=yesterday",
      "'after' must be a cursor: the `next` of a page, the `cursor` of an event, or a sequence",
    ],
  ])("?%s is refused with the parameter's name [D9.events]", async (query, error) => {
    expect(await problem(query)).toEqual(refused(error));
  });

  test("GET events answers 400 to a cursor ahead of the journal, as after a restored backup", async () => {
    expect(await problem("after=2")).toEqual(refused("'after' is ahead of the journal (1)"));
    expect(await problem(`after=418-${FORGED}&wait=25`)).toEqual(
      refused("'after' is ahead of the journal (1)"),
    );
  });

  test("GET events answers 400 to a forged cursor, another account's, and one of a history that was rewritten", async () => {
    expect(await problem(`after=1-${FORGED}`)).toEqual(refused("'after': history differs at 1"));
    expect(await problem(`after=0-${FORGED}`)).toEqual(refused("'after': history differs at 0"));
    const signer = await service().newKey({ accountId: await service().newAccount() });
    const other = (await call({ signer })).json() as { data: EventsPage };
    expect(await problem(`after=${other.data.next}`)).toEqual(
      refused("'after': history differs at 1"),
    );
    const own = (await call()).json() as { data: EventsPage };
    expect((await problem(`after=${own.data.next}`))[0]).toBe(200);
    await service().database.query(
      "update journal set hash = sha256('another past') where account_id = $1 and seq = 1",
      [service().accountId],
    );
    expect(await problem(`after=${own.data.next}`)).toEqual(
      refused("'after': history differs at 1"),
    );
  });
});
