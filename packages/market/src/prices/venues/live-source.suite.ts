import type { PairId } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { type Log, openLog } from "../../../../base/src/log.ts";
import { createManualTime, type ManualTime } from "../../../../server/src/testing/manual-time.ts";
import type { VenueFaults } from "../../../../server/src/testing/venues/venue-faults.ts";
import type { OfferedQuote } from "../quotes/numbered-quote.ts";
import type { LiveSource } from "./live-source.ts";

/** A local venue with two markets, as the suite controls it. */
export interface SuiteVenue {
  readonly faults: VenueFaults;
  /** Sets the best bid and ask of the first or second market, and sends them to the subscribers. */
  quote(market: 0 | 1, bid: number, ask: number): void;
  /** Sends the quote of the first market many times. */
  flood(count: number): void;
  /** The number of clients with a subscription. */
  subscribers(): number;
  close(): Promise<void>;
}

/** The source under test with its local venue. */
export interface SuiteCase {
  readonly venue: SuiteVenue;
  readonly source: LiveSource;
  /** The pairs of the venue's two markets. */
  readonly pairs: readonly [PairId, PairId];
}

/** The time and log that the source must use. */
export interface SuiteAround {
  readonly time: ManualTime;
  readonly log: Log;
}

export interface SuiteOptions {
  /** Whether the venue's quotes have its own time. */
  readonly hasTime: boolean;
  /** The number of messages in a second above which the source cuts the connection. */
  readonly floodAbove: number;
  readonly open: (around: SuiteAround) => Promise<SuiteCase>;
}

/** One test's source, with what it has offered and logged. */
interface Run extends SuiteCase {
  readonly offered: readonly OfferedQuote[];
  readonly lines: readonly string[];
  /** Passes time in steps until the check succeeds. */
  readonly until: (check: () => void) => Promise<void>;
  /** Sends quotes of the first market with this bid until the source offers one of them. */
  readonly recovers: (bid: number) => Promise<void>;
}

const STEP_MS = 250;
/** Every quote of the suite has this spread, so a quote with another spread mixes two quotes. */
const SPREAD = 1;

/** Tests the guarantees of every live source, against a local venue that speaks the protocol of the source. */
export function liveSourceSuite(name: string, options: SuiteOptions): void {
  async function run(body: (run: Run) => Promise<void>): Promise<void> {
    const lines: string[] = [];
    const time = createManualTime(Date.UTC(2026, 0, 7, 12));
    const log = openLog("info", { write: (line) => void lines.push(messageOf(line)) });
    const opened = await options.open({ time, log });
    const offered: OfferedQuote[] = [];
    const until = (check: () => void): Promise<void> =>
      eventually(async () => {
        await time.pass(STEP_MS);
        check();
      });
    try {
      opened.venue.quote(0, 100, 100 + SPREAD);
      await opened.source.start({ offer: (quote) => void offered.push(quote) });
      const recovers = (bid: number): Promise<void> =>
        until(() => {
          opened.venue.quote(0, bid, bid + SPREAD);
          expect(offered.at(-1)).toMatchObject({ pair: opened.pairs[0], bid });
        });
      await body({ ...opened, offered, lines, until, recovers });
      expect(offered.filter(({ bid, ask }) => ask - bid !== SPREAD)).toEqual([]);
    } finally {
      await opened.source.stop();
      await opened.venue.close();
    }
  }

  const isUp = ({ source, until }: Run): Promise<void> =>
    until(() => expect(source.health().state).toBe("up"));

  describe.concurrent(`live source: ${name}`, () => {
    test("a live source offers each quote of each pair in order", () =>
      run(async (one) => {
        const { venue, pairs, offered, until } = one;
        await isUp(one);
        const from = offered.length;
        for (let step = 1; step <= 30; step += 1) venue.quote(0, 100 + step, 100 + step + SPREAD);
        venue.quote(1, 50, 50 + SPREAD);
        await until(() => expect(offered.at(-1)).toMatchObject({ pair: pairs[1], bid: 50 }));
        const bids = offered.slice(from).filter(({ pair }) => pair === pairs[0]);
        expect(bids.map(({ bid }) => bid)).toEqual(Array.from({ length: 30 }, (_, at) => 101 + at));
      }));

    test("a live source passes on the venue's time, also a wrong one", () =>
      run(async (one) => {
        const { venue, offered, recovers } = one;
        await isUp(one);
        venue.faults.plan.clockShiftMs = 3_600_000;
        await recovers(110);
        const madeAtMs = offered.at(-1)?.madeAtMs ?? null;
        if (!options.hasTime) expect(madeAtMs).toBeNull();
        else expect(Math.abs((madeAtMs ?? 0) - venue.faults.nowMs())).toBeLessThan(60_000);
      }));

    test("a live source cuts at random bytes: no mixed quote, one line for each change, and the source recovers", () =>
      run(async (one) => {
        const { venue, source, lines, until, recovers } = one;
        await isUp(one);
        for (let cut = 1; cut <= 8; cut += 1) {
          const before = venue.faults.cuts();
          venue.faults.plan.cutWithinBytes = 700;
          await until(() => {
            venue.quote(0, 100 + 10 * cut, 100 + 10 * cut + SPREAD);
            expect(venue.faults.cuts()).toBeGreaterThan(before);
          });
          venue.faults.plan.cutWithinBytes = null;
        }
        await recovers(500);
        await isUp(one);
        const changes = lines.filter((line) => line.startsWith("price source"));
        const ups = changes.filter((line) => line.includes("connected")).length;
        expect(changes.filter((line) => line.includes("down"))).toHaveLength(ups - 1);
        expect(source.health().reconnects).toBe(ups - 1);
      }));

    test("a silent venue is down after the limit, and comes back", () =>
      run(async (one) => {
        const { venue, source, until, recovers } = one;
        await isUp(one);
        venue.faults.plan.isSilent = true;
        await until(() => expect(source.health().state).toBe("down"));
        expect(source.health().reason).not.toBeNull();
        venue.faults.clear();
        await recovers(120);
      }));

    test("garbage makes no quote and does not stop the source", () =>
      run(async (one) => {
        const { venue, until, offered, recovers, source } = one;
        await isUp(one);
        venue.faults.plan.hasGarbage = true;
        let sent = 0;
        await until(() => {
          sent += 1;
          venue.quote(0, 130 + sent, 130 + sent + SPREAD);
          expect(sent).toBeGreaterThan(20);
        });
        venue.faults.clear();
        await recovers(180);
        const { unreadable, reconnects } = source.health();
        expect(unreadable + reconnects).toBeGreaterThan(0);
        expect(offered.every(({ bid }) => Number.isInteger(bid))).toBe(true);
      }));

    test.each(["isReordering", "isRepeating"] as const)("%s makes no mixed quote", (fault) =>
      run(async (one) => {
        const { venue, until, recovers } = one;
        await isUp(one);
        venue.faults.plan[fault] = true;
        let sent = 0;
        await until(() => {
          sent += 1;
          venue.quote(0, 200 + 3 * sent, 200 + 3 * sent + SPREAD);
          venue.quote(0, 200 - 2 * sent, 200 - 2 * sent + SPREAD);
          expect(sent).toBeGreaterThan(20);
        });
        venue.faults.clear();
        await recovers(300);
      }),
    );

    test("a venue that sends byte by byte is read correctly", () =>
      run(async (one) => {
        const { venue, offered } = one;
        await isUp(one);
        venue.faults.plan.isDripping = true;
        venue.quote(0, 140, 140 + SPREAD);
        // The clock of the source does not advance here, because late bytes would count as silence.
        await eventually(() => expect(offered.at(-1)).toMatchObject({ bid: 140 }));
      }));

    test("a rejected subscription is one line and a reason, and is tried again", () =>
      run(async (one) => {
        const { venue, source, lines, until, recovers } = one;
        await isUp(one);
        venue.faults.plan.isRejecting = true;
        venue.faults.cutAll();
        await until(() => expect(source.health().state).toBe("down"));
        const before = lines.length;
        let steps = 0;
        await until(() => {
          steps += 1;
          expect(steps).toBeGreaterThan(60);
        });
        expect(lines).toHaveLength(before);
        expect(source.health()).toMatchObject({ state: "down", reason: expect.any(String) });
        venue.faults.clear();
        await recovers(150);
      }));

    test("a flood is cut, and the source comes back", () =>
      run(async (one) => {
        const { venue, source, recovers } = one;
        await isUp(one);
        venue.flood(options.floodAbove + 1_000);
        await eventually(() => expect(source.health().state).toBe("down"));
        expect(source.health().reason).toMatch(/flood/);
        await recovers(160);
      }));

    test("a stop ends the connection and all quotes", () =>
      run(async (one) => {
        const { venue, source, offered } = one;
        await isUp(one);
        await source.stop();
        await eventually(() => expect(venue.subscribers()).toBe(0));
        const count = offered.length;
        venue.quote(0, 170, 170 + SPREAD);
        await new Promise((resolve) => setImmediate(resolve));
        expect(offered).toHaveLength(count);
        expect(source.health()).toMatchObject({ state: "down", reason: "stopped" });
      }));

    test("a stop before the first answer leaves no connection", () =>
      run(async ({ venue, source, offered }) => {
        await source.stop();
        expect(offered).toEqual([]);
        await eventually(() => expect(venue.faults.connections()).toBe(0));
      }));
  });
}

function messageOf(line: string): string {
  const { msg }: { readonly msg: string } = JSON.parse(line);
  return msg;
}
