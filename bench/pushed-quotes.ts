import { startChild } from "./child.ts";
import type { PushCost } from "./push-cost.ts";
import { type Row, whole } from "./tables.ts";

const NEEDED_PER_SECOND = 50_000;

/** Quotes that one core takes from the firm's own programs, in the form that costs most. */
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
