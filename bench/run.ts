import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { capacityPage } from "../tools/reference/capacity-page.ts";
import { performancePages } from "../tools/reference/performance-page.ts";
import { resultsPage } from "../tools/reference/results-page.ts";
import {
  measureAccountListAtScale,
  measureEquityAtScale,
  measureMemoryAtScale,
} from "./at-scale.ts";
import { measureGreedyAccount } from "./greedy.ts";
import { measureLiveFeed } from "./live-feed.ts";
import { measureBursts } from "./performance/bursts.ts";
import { burstRows, embeddedCostRows } from "./performance/cost-rows.ts";
import { measureGrowth } from "./performance/growth.ts";
import { measureJourneys } from "./performance/journeys.ts";
import { profileRequests } from "./performance/profile.ts";
import { writeRaw } from "./performance/record.ts";
import { measureRequestCosts } from "./performance/request-costs.ts";
import { type Row, ratioTable, wholeNumberText } from "./result-tables.ts";
import { measureServed } from "./served.ts";
import { LINKED_LOAD_TEXT, measureSlowOrders } from "./slow-orders.ts";
import { measureStreams } from "./streams.ts";
import { measureTradeHistory } from "./trade-history.ts";

/** The results of a part: rows of the common table, and texts below it. */
interface Measured {
  readonly rows: readonly Row[];
  readonly sections?: readonly string[];
}

interface Options {
  readonly isQuick: boolean;
  readonly isWritten: boolean;
  readonly hasMostNonces: boolean;
  readonly minutes: number | null;
}

interface Part {
  readonly name: string;
  readonly meaning: string;
  measure(options: Options): Promise<Measured>;
}

/**
 * The parts in the order of the results. With `--write`, each part writes its raw results to a file when it has ended.
 */
const PARTS: readonly Part[] = [
  {
    name: "served",
    meaning: "quotes, reads, orders, a hostile client, each beside another way",
    async measure({ isQuick, isWritten }) {
      const results = await measureServed();
      if (isWritten) writeRaw("served", { isQuick, results });
      return { rows: results };
    },
  },
  {
    name: "requests",
    meaning: "the cost and latency of reads and orders on both stores",
    async measure({ isQuick, isWritten }) {
      const results = await measureRequestCosts(isQuick);
      if (isWritten) writeRaw("requests", { isQuick, results });
      return { rows: embeddedCostRows(results) };
    },
  },
  {
    name: "profile",
    meaning: "where the processor time of reads and orders goes",
    async measure({ isQuick, isWritten }) {
      const results = await profileRequests(isQuick);
      if (isWritten) writeRaw("profile", { isQuick, results });
      const lines = results.map(
        ({ kind, group, microseconds }) => `${kind}, ${group}: ${microseconds.toFixed(1)} µs`,
      );
      return { rows: [], sections: [lines.join("\n")] };
    },
  },
  {
    name: "journeys",
    meaning: "the files and calls of the product that an order, a read and two quotes pass",
    async measure() {
      const lines = (await measureJourneys()).map(
        ({ name, files, functions, calls }) =>
          `${name}: ${files} files, ${functions} functions, ${wholeNumberText(calls)} calls`,
      );
      return { rows: [], sections: [lines.join("\n")] };
    },
  },
  {
    name: "bursts",
    meaning: "trailing stops at new highs, the end of a day, an outage, a fall",
    async measure({ isQuick, isWritten }) {
      const results = await measureBursts(isQuick);
      if (isWritten) writeRaw("bursts", { isQuick, results });
      return { rows: burstRows(results) };
    },
  },
  {
    name: "growth",
    meaning: "costs by accounts, nonces and pending orders",
    async measure({ isQuick, isWritten, hasMostNonces }) {
      const results = await measureGrowth(isQuick, hasMostNonces);
      if (isWritten) writeRaw("growth", { isQuick, results });
      const lines = results.map(
        ({ curve, size, value }) => `${curve} ${wholeNumberText(size)}: ${value.toFixed(1)}`,
      );
      return { rows: [], sections: [lines.join("\n")] };
    },
  },
  {
    name: "trades",
    meaning: "reads beside those of a huge history of trades, and the memory of one of 10^6",
    async measure({ isQuick, isWritten }) {
      const results = await measureTradeHistory();
      if (isWritten) writeRaw("trades", { isQuick, results });
      return { rows: results };
    },
  },
  {
    name: "greedy",
    meaning: "reads beside 240 concurrent expensive requests of one account",
    async measure({ isQuick, isWritten }) {
      const results = await measureGreedyAccount(isQuick);
      if (isWritten) writeRaw("greedy", { isQuick, results });
      return { rows: results };
    },
  },
  {
    name: "streams",
    meaning: "orders beside 2,000 open streams, and events until their readers have them",
    async measure({ isQuick, isWritten }) {
      const results = await measureStreams(isQuick);
      if (isWritten) writeRaw("streams", { isQuick, results });
      return { rows: results };
    },
  },
  {
    name: "validator",
    meaning: "reads during slow orders of linked accounts",
    async measure({ isQuick, isWritten }) {
      const results = await measureSlowOrders();
      if (isWritten) writeRaw("validator", { isQuick, results, sections: [LINKED_LOAD_TEXT] });
      return { rows: results };
    },
  },
  {
    name: "feed",
    meaning: "reads and orders beside a live feed",
    async measure({ isQuick, isWritten, minutes }) {
      const { rows: results, title, about, text } = await measureLiveFeed(minutes);
      const sections = [`## ${title}`, about, text];
      if (isWritten) writeRaw("feed", { isQuick, results, sections });
      return { rows: results, sections };
    },
  },
  {
    name: "scale",
    meaning: "equity rules and memory by number of accounts",
    async measure({ isQuick, isWritten }) {
      const found = [
        await measureEquityAtScale(),
        await measureAccountListAtScale(),
        await measureMemoryAtScale(),
      ];
      const results = found.map(({ row }) => row);
      const sections = found.flatMap(({ title, about, text }) => [`## ${title}`, about, text]);
      if (isWritten) writeRaw("scale", { isQuick, results, sections });
      return { rows: results, sections };
    },
  },
];

const USAGE = `npm run bench -- [options]

  --part NAME       only this part; can be repeated
  --write           keeps the results in bench/raw, and writes the pages that are made from them
  --quick           short runs, whose figures only show that each row works
  --most-nonces     adds a run with 10^8 nonces to the part growth
  --minutes N       the duration of the part feed
  --help

Parts:
${PARTS.map(({ name, meaning }) => `  ${name.padEnd(10)}${meaning}`).join("\n")}
`;

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      part: { type: "string", multiple: true, default: [] },
      write: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      "most-nonces": { type: "boolean", default: false },
      minutes: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const unknown = values.part.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown !== undefined) throw new Error(`--part ${unknown} does not exist\n\n${USAGE}`);
  const options: Options = {
    isQuick: values.quick,
    isWritten: values.write,
    hasMostNonces: values["most-nonces"],
    minutes: values.minutes === undefined ? null : Number(values.minutes),
  };
  const chosen = PARTS.filter(({ name }) => values.part.length === 0 || values.part.includes(name));
  const found: Measured[] = [];
  for (const part of chosen) {
    process.stderr.write(`${part.name} …\n`);
    const measured = await part.measure(options);
    process.stderr.write(`${tableOf(measured.rows).join("\n")}\n`);
    found.push(measured);
  }
  const text = [
    ...tableOf(found.flatMap(({ rows }) => rows)),
    ...found.flatMap(({ sections = [] }) => sections),
  ].join("\n\n");
  process.stdout.write(`${text}\n`);
  if (!options.isWritten) return;
  for (const { path, content } of [resultsPage(), capacityPage(), ...performancePages()]) {
    writeFileSync(new URL(`../${path}`, import.meta.url), content);
  }
}

function tableOf(rows: readonly Row[]): readonly string[] {
  return rows.length === 0 ? [] : [ratioTable(rows)];
}

await run();
