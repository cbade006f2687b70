import { accountId } from "@propgate/core";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../server/src/testing/open-test-database.ts";
import { createEventLines } from "../../storage/journal/event-lines.ts";
import { createOrderLineStore } from "../../storage/journal/order-lines.ts";
import { createOrderLifeDesk, type OrderLifeDesk } from "./order-life-desk.ts";

const ACCOUNT = accountId("7f1c1c9e-94a2-4f0f-9d0a-000000000001");
const ORDER = "one";
const HOLDS = 1_000;

/**
 * Opens the desk on a journal that it has not read yet, in which the only order of an account is edited once and held
 * many times.
 */
async function deskOfLongLife(stack: AsyncDisposableStack): Promise<OrderLifeDesk> {
  const database = stack.adopt(await openTestDatabase(), (one) => one.close());
  await database.query(
    `insert into accounts (account_id, owner_id, status, version, head_hash, exposed, created_at_ms)
     values ($1, 'owner-1', 'active', ${HOLDS + 2}, '\\x00', false, 0)`,
    [ACCOUNT],
  );
  const add = async (type: string, from: number, to: number): Promise<void> => {
    const order = { uuid: ORDER, pair: "BTCUSD" };
    const event = JSON.stringify({ type, order, orderUuid: ORDER });
    await database.query(
      `insert into journal (account_id, seq, at_ms, origin, command, event, hash)
       select $1, n, n, 'clock', 'passTime', $2, '\\x00' from generate_series($3::bigint, $4::bigint) n`,
      [ACCOUNT, event, from, to],
    );
  };
  await add("orderPlaced", 1, 1);
  await add("orderEdited", 2, 2);
  await add("orderHeld", 3, HOLDS + 2);
  const lines = createEventLines(database);
  return createOrderLifeDesk({ lines, store: createOrderLineStore(database) });
}

test("a life of many lines is read page by page, and what it is from few of them [D12.boundedWork]", async () => {
  await using stack = new AsyncDisposableStack();
  const desk = await deskOfLongLife(stack);
  const pages: unknown[] = [];
  for (let after = 0; after < HOLDS + 2; ) {
    const page = await desk.find(ACCOUNT, ORDER, { sequence: after, hash: null });
    if (page?.ok !== true) throw new Error("the order was not found");
    const { outline, following, hasMore } = page;
    expect(outline.map(({ seq }) => seq)).toEqual([1, 2, HOLDS + 2]);
    pages.push([following[0]?.seq, following.at(-1)?.seq, hasMore]);
    after = following.at(-1)?.seq ?? HOLDS + 2;
  }
  expect(pages).toEqual([
    [1, 500, true],
    [501, 1_000, true],
    [1_001, HOLDS + 2, false],
  ]);
});

test("the first read of a long journal gives other requests their turns [D12.share]", async () => {
  await using stack = new AsyncDisposableStack();
  const desk = await deskOfLongLife(stack);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await desk.find(ACCOUNT, ORDER, null);
  isOver = true;
  // There is one turn for every 16 lines that are read, for every 16 that are indexed, and for every 16 of the half
  // that a page shows.
  expect(turns).toBeGreaterThanOrEqual((2.5 * HOLDS) / 16 - 3);
});
