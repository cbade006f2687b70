import type { EventsPage } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

const FORGED = "0123456789abcdef0123456789abcdef";

describe("GET events/stream answers 400 [D9.stream]", () => {
  const { service } = openEndpointUnderTest("getEventStream");
  const problem = async (query: string) => {
    const reply = await service().get(`events/stream?${query}`);
    return [reply.status, reply.json()];
  };
  const refused = (error: string) => [400, { error }];

  test.each([
    ["types=order.fooled", "'types' names \"order.fooled\", which is not a type of event"],
    ["types=none,order.filled", "'types' names \"none\", which is not a type of event"],
    ["proof=2", "'proof' must be 0 or 1"],
    ["proof=1&types=none", "'proof' must be 0 with 'types': without every line there is no proof"],
    ["quotes=", "'quotes' must be pair identifiers with commas between them"],
    ["quotes=BTCUSD,XYZUSD", "'quotes' names XYZUSD, which is not a known pair"],
    [
      `quotes=${Array.from({ length: 61 }, (_, index) => `P${index}USD`).join(",")}`,
      "'quotes' must name at most 60 pairs",
    ],
    ["every=1", "'every' must not be given without 'quotes'"],
    ["quotes=BTCUSD&every=0.2", "'every' must be seconds from 0.25 to 60"],
    ["quotes=BTCUSD&every=61", "'every' must be seconds from 0.25 to 60"],
    ["quotes=BTCUSD&every=1e1", "'every' must be seconds from 0.25 to 60"],
    [
      "after=yesterday",
      "'after' must be a cursor: the `next` of a page, the `cursor` of an event, or a sequence",
    ],
  ])("?%s is refused with the parameter's name", async (query, error) => {
    expect(await problem(query)).toEqual(refused(error));
  });

  test("GET events/stream answers 400 to a cursor ahead of the journal, a forged one, and one of a history that was rewritten [D9.cursor]", async () => {
    expect(await problem("after=2")).toEqual(refused("'after' is ahead of the journal (1)"));
    expect(await problem(`after=1-${FORGED}`)).toEqual(refused("'after': history differs at 1"));
    const { data } = (await service().get("events")).json() as { data: EventsPage };
    await service().database.query(
      "update journal set hash = sha256('another past') where account_id = $1 and seq = 1",
      [service().accountId],
    );
    expect(await problem(`after=${data.next}`)).toEqual(refused("'after': history differs at 1"));
  });
});
