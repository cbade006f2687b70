import type { AccountStateView, FlattenResult } from "@propgate/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { readJournal } from "../../../../../ledger/src/storage/journal/journal-store.ts";
import { createJournalDesk } from "../../../../../ledger/src/trading/journal/journal-desk.ts";
import { CATALOGUE } from "../../../testing/harness.ts";
import { openPagedService, type PagedService } from "../../../testing/page-client.ts";

const LONG = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 1 };

describe("closing everything by hand", () => {
  let service: PagedService;
  let path: string;
  beforeEach(async () => {
    service = await openPagedService();
    path = `/accounts/${service.accountId}`;
    await service.quote("BTCUSD", 50_000, 50_000);
    await service.quote("EURUSD", 1.1, 1.1);
    await service.order(LONG);
    await service.order({ ...LONG, trade_pair: "EURUSD" });
    return () => service.close();
  });

  const flatten = (body: unknown) => service.page("POST", `${path}/flatten`, { body });
  const lines = () =>
    readJournal(service.database, {
      accountId: service.accountId,
      afterSequence: 0,
      limit: 1000,
    });

  test("closing everything by hand needs the account's id once more", async () => {
    const version = (await lines()).length;
    for (const [body, error] of [
      [undefined, "confirm: is required"],
      [{ confirm: "yes" }, "confirm: must be the account's id"],
      [{ confirm: service.accountId, all: true }, "all: no such field"],
    ] as const) {
      expect(await flatten(body)).toMatchObject({ status: 400, error });
    }
    expect(await lines()).toHaveLength(version);
  });

  test("closing everything by hand closes what it can, says what stayed, and stands in the journal under the owner", async () => {
    const before = (await lines()).length;
    await service.pass(61_000);
    await service.quote("BTCUSD", 51_000, 51_000);
    const { status, data } = await flatten({ confirm: service.accountId });
    expect(status).toBe(200);
    expect(data).toEqual({
      closed: ["BTCUSD"],
      stayed: [{ pair: "EURUSD", why: "it has no fresh quote" }],
      message: "1 position closed. EUR/USD stays open: it has no fresh quote.",
    } satisfies FlattenResult);
    const view = await service.data<AccountStateView>(`${path}/state`);
    expect(view.positions).toMatchObject([{ tradePair: "EURUSD" }]);
    const written = (await lines()).slice(before);
    expect(written.map(({ event }) => event.type)).toEqual(["orderFilled", "positionClosed"]);
    for (const line of written) {
      expect(line).toMatchObject({
        origin: "owner:person-of-owner",
        keyId: null,
        nonce: null,
        command: "flatten",
      });
    }
    expect(service.audited).toMatchObject([
      { name: "account.flatten", status: 200, about: { accountId: service.accountId } },
    ]);
  });

  test("closing everything by hand leaves a journal that proves itself and makes the same account again", async () => {
    await flatten({ confirm: service.accountId });
    const desk = createJournalDesk(service.database, CATALOGUE);
    const events = (await lines()).length;
    expect(await desk.verify("all")).toEqual({ accounts: 1, events, broken: [] });
    expect(await desk.rebuild("all", false)).toMatchObject({ different: [] });
    await service.database.query(
      "update journal set origin = 'owner:other' where origin like 'owner:%'",
    );
    expect((await desk.verify("all")).broken).toMatchObject([
      { why: "the line is not as it was written" },
    ]);
  });

  test("closing everything by hand closes nothing when nothing is open", async () => {
    await flatten({ confirm: service.accountId });
    expect(await flatten({ confirm: service.accountId })).toMatchObject({
      status: 200,
      data: { closed: [], stayed: [], message: "No open position to close." },
    });
  });

  test("closing everything by hand is refused as the API refuses it, and reports an unknown fate", async () => {
    service.faults.set({ network: "down" });
    expect(await flatten({ confirm: service.accountId })).toMatchObject({
      status: 503,
      error: "The trading network is unreachable; nothing was closed",
    });
    service.faults.set({ network: "up", orders: "acceptThenDrop" });
    expect(await flatten({ confirm: service.accountId })).toMatchObject({
      status: 503,
      error: expect.stringContaining("Look at them before you try again"),
    });
    service.faults.set({ orders: "ok" });
    await service.accounts.eliminate(service.accountId, "INACTIVE");
    expect(await flatten({ confirm: service.accountId })).toMatchObject({
      status: 409,
      error: "The account is eliminated and takes no orders",
    });
  });
});
