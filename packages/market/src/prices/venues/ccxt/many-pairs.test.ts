import { execFileSync } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { type PairId, pairId } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../../../test/eventually.ts";
import { openLog } from "../../../../../base/src/log.ts";
import { createSeededChance } from "../../../../../base/src/random.ts";
import {
  createManualTime,
  type ManualTime,
} from "../../../../../server/src/testing/manual-time.ts";
import {
  CCXT_VENUES,
  type CcxtVenue,
} from "../../../../../server/src/testing/venues/ccxt-venues.ts";
import {
  type LocalVenue,
  openLocalVenue,
} from "../../../../../server/src/testing/venues/local-venue.ts";
import type { OfferedQuote } from "../../quotes/numbered-quote.ts";
import type { LiveSource } from "../live-source.ts";
import { loadCcxt } from "./ccxt-library.ts";
import { createCcxtSource } from "./ccxt-source.ts";
import { watchPlan } from "./venue-overrides.ts";

const COUNT = 250;

interface Run {
  readonly source: LiveSource;
  readonly standIn: LocalVenue;
  readonly names: readonly string[];
  readonly offered: OfferedQuote[];
  readonly lines: string[];
  readonly time: ManualTime;
}

/**
 * Runs a source with many pairs at a local venue. `unlisted` are symbols that the venue does not have, and `rejects` is
 * a name whose subscription it rejects.
 */
async function run(
  { venue, protocol, symbols }: CcxtVenue,
  body: (run: Run) => Promise<void>,
  unlisted: readonly string[] = [],
  rejects: string | null = null,
): Promise<void> {
  const [, quote = "USD"] = symbols[0].split("/");
  const names = Array.from({ length: COUNT }, (_, at) => `${letters(at)}/${quote}`);
  const standIn = await openLocalVenue({ protocol, markets: names });
  standIn.faults.plan.rejects = rejects;
  const make = (await loadCcxt()).get(venue);
  if (make === undefined) throw new Error(`ccxt has no ${venue}`);
  const plan = watchPlan(venue, new make({}).has);
  if (plan === null) throw new Error(`${venue} has no watch method`);
  const lines: string[] = [];
  const offered: OfferedQuote[] = [];
  const symbolsOf = new Map<PairId, string>(
    [...names, ...unlisted].map((name) => [pairId(name), name]),
  );
  const time = createManualTime(Date.UTC(2026, 0, 7, 12));
  const around = {
    ...time,
    chance: createSeededChance(venue),
    log: openLog("info", { write: (line) => void lines.push(line) }),
  };
  const { origin } = standIn;
  const source = createCcxtSource({ venue, make, plan, origin, symbols: symbolsOf, around });
  try {
    for (const name of names) standIn.quote(name, 100, 101);
    await source.start({ offer: (one) => void offered.push(one) });
    await body({ source, standIn, names, offered, lines, time });
  } finally {
    await source.stop();
    await standIn.close();
  }
}

/** A name that no currency has: `QQAA`, `QQAB` and so on. */
function letters(at: number): string {
  const letter = (value: number): string => String.fromCharCode(65 + (value % 26));
  return `QQ${letter(Math.floor(at / 26))}${letter(at)}`;
}

function allSeen({ offered, names }: Run): Promise<void> {
  return eventually(() => expect(new Set(offered.map(({ pair }) => pair)).size).toBe(names.length));
}

const [kraken] = CCXT_VENUES;
if (kraken === undefined) throw new Error("no venue");

describe("many pairs of one venue", () => {
  test.each(CCXT_VENUES.filter(({ venue }) => venue !== "hyperliquid"))(
    "$venue: 250 pairs share few connections, and no quote is lost",
    (venue) =>
      run(venue, async (one) => {
        await allSeen(one);
        expect(one.standIn.accepted()).toBeLessThanOrEqual(3);
        const before = one.offered.length;
        for (let round = 1; round <= 4; round += 1) {
          for (const name of one.names) one.standIn.quote(name, 100 + round, 101 + round);
        }
        await eventually(() => expect(one.offered).toHaveLength(before + 4 * COUNT));
        const newest = new Map(one.offered.map(({ pair, bid }) => [pair, bid]));
        expect([...newest.values()].filter((bid) => bid !== 104)).toEqual([]);
      }),
  );

  test("one of several sockets that is silent ends the connection, though the others are heard", () => {
    const binance = CCXT_VENUES.find(({ venue }) => venue === "binance") ?? kraken;
    return run(binance, async (one) => {
      await allSeen(one);
      expect(one.standIn.accepted()).toBe(3);
      one.standIn.faults.muteNewest();
      let bid = 100;
      await eventually(async () => {
        bid += 1;
        for (const name of one.names) one.standIn.quote(name, bid, bid + 1);
        await one.time.pass(2_000);
        expect(one.source.health().state).toBe("down");
      });
      expect(one.source.health().reason).toBe("one of the sockets is silent");
    });
  });

  test("pairs that the venue does not list are one warning, and the others run", () =>
    run(
      kraken,
      async (one) => {
        await allSeen(one);
        const warnings = one.lines.filter((line) => line.includes("does not list"));
        expect(warnings).toHaveLength(1);
        expect(warnings[0]).toContain('"symbols":"NOPE/USD, NONE/USD"');
      },
      ["NOPE/USD", "NONE/USD"],
    ));
});

/** Passes a minute in which the first two markets move, so that no connection is silent. */
async function passMinute({ names, standIn, offered, time }: Run, bid: number): Promise<void> {
  for (let quarter = 0; quarter < 4; quarter += 1) {
    const before = offered.length;
    for (const name of names.slice(0, 2)) standIn.quote(name, bid + quarter, bid + quarter + 1);
    await eventually(() => expect(offered.length).toBeGreaterThan(before));
    await time.pass(15_000);
  }
}

describe("a symbol whose subscription the venue rejects", () => {
  test.each([
    ["kraken", "QQAB/USD"],
    ["bybit", "QQABUSDT"],
  ])(
    "a symbol whose subscription %s rejects is one warning, the others run, and an hour later it is tried again",
    (name, rejects) => {
      const venue = CCXT_VENUES.find((one) => one.venue === name) ?? kraken;
      return run(
        venue,
        async (one) => {
          const { standIn, offered, lines, time, source } = one;
          const [, rejected = ""] = one.names;
          const seen = (): ReadonlySet<string> => new Set(offered.map(({ pair }) => pair));
          const warnings = (): readonly string[] =>
            lines.filter((line) => line.includes("venue rejects these symbols"));
          let bid = 100;
          /** Passes time while prices move, until the check succeeds. */
          const until = (stepMs: number, check: () => void): Promise<void> =>
            eventually(async () => {
              bid += 1;
              for (const market of one.names) standIn.quote(market, bid, bid + 1);
              await time.pass(stepMs);
              check();
            });
          await until(250, () => expect(seen().size).toBe(COUNT - 1));
          expect(seen().has(rejected)).toBe(false);
          expect(warnings()).toHaveLength(1);
          expect(warnings()[0]).toContain(`"symbols":"${rejected}"`);
          await until(250, () => expect(source.health().state).toBe("up"));
          const { reconnects } = source.health();
          // The rejected symbol is tried twice. The first try is rejected again.
          for (let minutes = 0; minutes < 130 && seen().size < COUNT; minutes += 1) {
            if (minutes === 65) standIn.faults.plan.rejects = null;
            await passMinute(one, 1_000 + minutes * 10);
          }
          await until(250, () => expect(seen().size).toBe(COUNT));
          expect(warnings()).toHaveLength(1);
          expect(source.health().reconnects).toBe(reconnects);
        },
        [],
        rejects,
      );
    },
  );
});

describe("ccxt", () => {
  test("ccxt reaches no address but the venue's", async () => {
    const reached = new Set<string>();
    const note = (message: unknown): void => {
      const { socket } = message as { readonly socket: Socket };
      socket.once("connect", () => reached.add(socket.remoteAddress ?? "unknown"));
    };
    subscribe("net.client.socket", note);
    try {
      await run(kraken, allSeen);
    } finally {
      unsubscribe("net.client.socket", note);
    }
    expect([...reached]).toEqual(["127.0.0.1"]);
  });

  test("ccxt is named with its command when it is not installed", () => {
    const hide = `data:text/javascript,${encodeURIComponent(
      `import { registerHooks } from "node:module";
       registerHooks({ resolve(name, context, next) {
         if (name === "ccxt") throw new Error("Cannot find package 'ccxt'");
         return next(name, context);
       } });`,
    )}`;
    const library = new URL("ccxt-library.ts", import.meta.url);
    const program = `const { loadCcxt } = await import(${JSON.stringify(library.href)});
      await loadCcxt().catch(({ name, message, fix }) => console.log(JSON.stringify({ name, message, fix })));`;
    const printed = execFileSync(
      process.execPath,
      ["--conditions=@propgate/source", "--import", hide, "--input-type=module", "-e", program],
      { encoding: "utf8" },
    );
    expect(JSON.parse(printed)).toEqual({
      name: "CannotStart",
      message: "prices of crypto venues need the package ccxt, which is not installed",
      fix: "npm install ccxt@4.5",
    });
  });
});
