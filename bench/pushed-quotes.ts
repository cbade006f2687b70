import { startChild } from "./child.ts";
import type { PushCost } from "./push-cost.ts";
import { type Row, whole } from "./tables.ts";

const NEEDED_PER_SECOND = 50_000;

/** The row of pushed quotes: how many per second one core takes, in each form. The slowest form counts. */
export async function pushedQuotes(): Promise<Row> {
  const costs: PushCost[] = [];
  for (const form of ["ndjson", "json", "stream"]) {
    const child = await startChild("push-cost.ts", [form]);
    await child.stop();
    costs.push(JSON.parse(child.line));
  }
  const rates = costs.map(({ form, microsecondsPerQuote }) => ({
    form,
    perSecond: 1_000_000 / microsecondsPerQuote,
  }));
  const slowest = Math.min(...rates.map(({ perSecond }) => perSecond));
  const each = rates.map(({ form, perSecond }) => `${form} ${whole(perSecond)}`);
  return {
    what: "pushed quotes, from the socket to their numbers (stream: one line a message)",
    one: `${each.join(", ")} quotes/s on one core`,
    other: `${whole(NEEDED_PER_SECOND)} quotes/s`,
    ratio: slowest / NEEDED_PER_SECOND,
    bar: "≥ 1",
  };
}
