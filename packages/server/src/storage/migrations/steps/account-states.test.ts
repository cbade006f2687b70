import { type AccountId, orderUuid, price } from "@propgate/core";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../testing/each-database.ts";
import { manualEngine } from "../../../testing/manual-engine.ts";
import { BTC, SMALL_CATALOGUE } from "../../../testing/small-market.ts";
import { createJournalDesk } from "../../../trading/journal/journal-desk.ts";
import type { Database } from "../../databases/database.ts";
import { NO_PLACE } from "../../rows/quote-place.ts";
import { MIGRATIONS, migrate } from "../migrate.ts";
import { ACCOUNT_STATES } from "./0025-account-states.ts";

const LINKED = "0d5c2a34-59b8-4a3e-9d4f-000000000001";

/** Puts the rows of the accounts into the tables of the release before, as it stored them. */
async function downgrade(database: Database, states: ReadonlyMap<AccountId, string>) {
  await database.query(`create schema kept; create table kept.accounts as select * from accounts;
    create table kept.journal as select * from journal`);
  await database.query("drop schema public cascade; create schema public");
  await migrate(
    database,
    MIGRATIONS.filter(({ number }) => number < ACCOUNT_STATES.number),
  );
  await database.query(
    `insert into accounts (account_id, owner_id, status, version, state, head_hash, exposed, due_at_ms,
       created_at_ms)
     select account_id, owner_id, status, version, s.state, head_hash, exposed, due_at_ms, created_at_ms
     from kept.accounts join unnest($1::uuid[], $2::text[]) as s (account_id, state) using (account_id)`,
    [[...states.keys()], [...states.values()]],
  );
  await database.query(
    `insert into accounts (account_id, owner_id, status, version, network, exposed, created_at_ms)
     values ($1, 'ann', 'active', 3, 'vanta', false, 0)`,
    [LINKED],
  );
  await database.query("insert into journal select * from kept.journal");
  await database.query("drop schema kept cascade");
}

await describeOnEachDatabase("states in their own table", (database) => {
  test("are those of the former column, with every position and order, and trading goes on", async () => {
    const former = manualEngine(database(), { seed: "former" });
    const [idle, trader] = [await former.open(), await former.open()];
    await former.quote(BTC, 50_000);
    for (let count = 0; count < 5; count += 1) await former.buy(trader, BTC, 0.1);
    await former.order(trader, {
      type: "placeLimit",
      orderUuid: orderUuid("resting"),
      pair: BTC,
      direction: "long",
      size: { kind: "quantity", lots: 0.1 },
      limitPrice: price(45_000),
      legs: [],
      reduceOnly: false,
    });
    const accounts = await former.cache.load([idle, trader]);
    const states = new Map(
      accounts.map(({ state }) => [state.accountId, JSON.stringify(state)] as const),
    );
    await downgrade(database(), states);
    await migrate(database());

    const engine = manualEngine(database(), { seed: "present" });
    await engine.restore();
    // A former release kept no places of quotes.
    const expected = accounts.map((account) => ({
      ...account,
      place: NO_PLACE,
      lostEpoch: 0,
      isDecidedHere: false,
    }));
    expect(await engine.cache.load([idle, trader])).toEqual(expected);
    const desk = createJournalDesk(database(), SMALL_CATALOGUE);
    expect(await desk.verify("all")).toMatchObject({ accounts: 2, broken: [] });
    expect(await desk.rebuild("all", false)).toMatchObject({ accounts: 2, different: [] });
    expect(
      await database().query("select version, network from accounts where account_id = $1", [
        LINKED,
      ]),
    ).toEqual([{ version: "3", network: "vanta" }]);

    await engine.quote(BTC, 44_900);
    await engine.buy(trader, BTC, 0.1);
    const [now] = await engine.cache.load([trader]);
    expect(now).toMatchObject({ state: { orders: [], positions: [{ pair: BTC }] } });
    expect(await desk.rebuild("all", false)).toMatchObject({ different: [] });
  });
});
