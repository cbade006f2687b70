import { type AccountId, accountId, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { createSeededChance } from "../../../base/src/random.ts";
import { createEventLines } from "../../../ledger/src/storage/journal/event-lines.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { addBareAccount, addBareLines } from "../../../server/src/testing/raw-journal.ts";
import { createLaneStore } from "../storage/lane-store.ts";
import { findEvent, findNextEvent } from "./lane-events.ts";

const ENDED = '{"type":"dayEnded"}';
const OPENED = (program: string): string =>
  `{"type":"accountOpened","terms":{"programId":"${program}"}}`;
const STARTED = (program: string): string =>
  `{"type":"proStarted","terms":{"programId":"${program}"}}`;
/** These tests deliver only `dayEnded` events, because their events that set a program do not have complete terms. */
const DAY_EVENTS = new Set(["dayEnded"]);

await describeOnEachDatabase("lanes of a program", (database) => {
  const chance = createSeededChance("program lanes");
  const versions = new Map<AccountId, number>();
  const add = async (account: AccountId, ...events: readonly string[]): Promise<void> => {
    const version = versions.get(account) ?? 0;
    await addBareLines(database(), account, { version, events });
    versions.set(account, version + events.length);
  };
  const open = async (...events: readonly string[]): Promise<AccountId> => {
    const account = accountId(chance.uuid());
    await addBareAccount(database(), account, "owner");
    await add(account, ...events);
    return account;
  };
  /**
   * Follows a lane to its end, as the delivery does. Returns the sequences that it sends, each with the previous one.
   */
  const follow = async (
    of: { readonly endpointId: string; readonly accountId: AccountId },
    programId: string,
  ) => {
    const [lanes, lines] = [createLaneStore(database()), createEventLines(database())];
    const sent: (readonly [number, number | null])[] = [];
    for (;;) {
      const lane = await lanes.findByAccount(of.endpointId, of.accountId);
      if (lane === null) return null;
      const next = await findNextEvent(lines, lane, { types: DAY_EVENTS, programId });
      if (next.sequence === lane.deliveredSequence) return sent;
      const previousSequence = next.event === null ? lane.previousSequence : next.sequence;
      if (next.event !== null) sent.push([next.sequence, next.previous]);
      const to = { ...lane, deliveredSequence: next.sequence, previousSequence };
      expect(await lanes.advance(lane, to, null)).toBe(true);
    }
  };

  test("an endpoint of a program gets the lines after which their account is on it, in order [D9.webhookProgram]", async () => {
    const lanes = createLaneStore(database());
    const [leaving, returning, passing] = [
      await open(OPENED("a"), ENDED),
      await open(OPENED("a"), ENDED, STARTED("b"), ENDED),
      await open(OPENED("b"), ENDED),
    ];
    const endpoint = { id: "wh_head", programId: "a" };
    await lanes.createLanes(endpoint.id, { accountId: null, programId: "a", fromStart: false });
    const lateOnIt = await open(OPENED("a"), ENDED);
    await add(leaving, ENDED, STARTED("b"), ENDED, ENDED);
    await add(returning, ENDED, STARTED("a"), ENDED, ENDED);
    await add(passing, ENDED, STARTED("a"), ENDED, STARTED("b"), ENDED);
    await lanes.createMissingLanes([endpoint], null);
    const of = (account: AccountId) => follow({ endpointId: endpoint.id, accountId: account }, "a");
    // The account was on the program and left it.
    expect(await of(leaving)).toEqual([[3, null]]);
    // The account had left the program before, and came back.
    expect(await of(returning)).toEqual([
      [7, null],
      [8, 7],
    ]);
    // The account joined the program with line 4 and left it with line 6, before anything was sent.
    expect(await of(passing)).toEqual([[5, null]]);
    expect(await of(lateOnIt)).toEqual([[2, null]]);
    await add(leaving, STARTED("a"), ENDED);
    expect(await of(leaving)).toEqual([[8, 3]]);
    const never = await open(OPENED("c"), ENDED);
    await lanes.createMissingLanes([endpoint], [never]);
    expect(await of(never)).toBeNull();
  });

  test("an endpoint of a program that begins at the start has the past of the accounts that are on it now [D9.webhookProgram]", async () => {
    const lanes = createLaneStore(database());
    const came = await open(OPENED("y"), ENDED, STARTED("x"), ENDED);
    const left = await open(OPENED("x"), ENDED, STARTED("y"), ENDED);
    await lanes.createLanes("wh_start", { accountId: null, programId: "x", fromStart: true });
    const of = (account: AccountId) => follow({ endpointId: "wh_start", accountId: account }, "x");
    expect(await of(came)).toEqual([[4, null]]);
    expect(await of(left)).toEqual([]);
    await lanes.replay("wh_start", { accountId: came }, { sequence: 1 });
    const lane = await lanes.findByAccount("wh_start", came);
    if (lane === null) throw new Error("the lane is gone");
    expect(lane.nextAtMs).toBe(unixMs(0));
    const lines = createEventLines(database());
    const one = (sequence: number) =>
      findEvent(lines, { lane, sequence }, { types: DAY_EVENTS, programId: "x" });
    expect(await one(2)).toBeNull();
    expect((await one(4))?.event.sequence).toBe(4);
    expect(await of(came)).toEqual([[4, null]]);
  });
});
