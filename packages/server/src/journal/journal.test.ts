import type { AccountId } from "@propgate/core";
import { expect, test } from "vitest";
import { countingDecider } from "../testing/counting-decider.ts";
import { countingNetwork } from "../testing/counting-network.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { rebuildJournal } from "./rebuild-journal.ts";
import { verifyJournal } from "./verify-journal.ts";

await describeOnEachDatabase("the journal", (database) => {
  const accountOfFive = async (): Promise<AccountId> => {
    const network = countingNetwork(database());
    const id = await network.open();
    for (let count = 0; count < 4; count += 1) await network.count(id);
    return id;
  };

  test("of an untouched account is proved, also beside all others", async () => {
    const id = await accountOfFive();
    expect(await verifyJournal(database(), id)).toEqual({ accounts: 1, events: 5, broken: [] });
    await accountOfFive();
    expect(await verifyJournal(database(), "all")).toEqual({ accounts: 2, events: 10, broken: [] });
  });

  test.each([
    ["update journal set event = replace(event, '1', '2') where account_id = $1 and seq = 3", 3],
    ["update journal set at_ms = at_ms + 1 where account_id = $1 and seq = 2", 2],
    ["update journal set nonce = 'other' where account_id = $1 and seq = 4", 4],
    ["update journal set hash = sha256('other') where account_id = $1 and seq = 1", 1],
    ["delete from journal where account_id = $1 and seq = 1", 1],
    ["delete from journal where account_id = $1 and seq = 3", 3],
    ["delete from journal where account_id = $1 and seq = 5", 5],
    ["update accounts set head_hash = sha256('other') where account_id = $1", 5],
    ["delete from accounts where account_id = $1", 1],
  ])("names the first line that %s breaks: %d", async (tamper, seq) => {
    const id = await accountOfFive();
    await database().query(tamper, [id]);
    const { broken } = await verifyJournal(database(), id);
    expect(broken).toMatchObject([{ accountId: id, seq }]);
  });

  test("makes every state again, byte for byte, and finds the one that was changed", async () => {
    const id = await accountOfFive();
    const { evolve } = countingDecider;
    const need = { database: database(), evolve, instruments: new Map(), which: id };
    const before = await stateOf(id);
    expect(await rebuildJournal({ ...need, write: false })).toEqual({
      accounts: 1,
      different: [],
      written: 0,
    });
    await database().query(
      `update accounts set state = replace(state, '"realized":4', '"realized":400')
       where account_id = $1`,
      [id],
    );
    expect(await rebuildJournal({ ...need, write: false })).toMatchObject({
      different: [id],
      written: 0,
    });
    expect(await rebuildJournal({ ...need, write: true })).toMatchObject({ written: 1 });
    expect(await stateOf(id)).toBe(before);
  });

  const stateOf = async (id: AccountId): Promise<string | undefined> => {
    const rows = await database().query<{ state: string }>(
      "select state from accounts where account_id = $1",
      [id],
    );
    return rows[0]?.state;
  };
});
