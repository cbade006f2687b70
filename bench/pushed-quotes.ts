import { startChildProgram } from "./child.ts";
import type { PushCost } from "./push-cost.ts";
import { type Row, wholeNumberText } from "./result-tables.ts";

const NEEDED_PER_SECOND = 50_000;

/** The row of pushed quotes: how many per second one core processes in each form. The ratio uses the slowest form. */
export async function measurePushedQuotes(): Promise<Row> {
  const costs: PushCost[] = [];
  for (const form of ["ndjson", "json", "stream"]) {
    const child = await startChildProgram("push-cost.ts", [form]);
    await child.stop();
    costs.push(JSON.parse(child.line));
  }
  const rates = costs.map(({ form, microsecondsPerQuote }) => ({
    form,
    perSecond: 1_000_000 / microsecondsPerQuote,
  }));
  const slowest = Math.min(...rates.map(({ perSecond }) => perSecond));
  const each = rates.map(({ form, perSecond }) => `${form} ${wholeNumberText(perSecond)}`);
  return {
    what: "pushed quotes, from the socket to their numbers (stream: one line a message)",
    one: `${each.join(", ")} quotes/s on one core`,
    other: `${wholeNumberText(NEEDED_PER_SECOND)} quotes/s`,
    ratio: slowest / NEEDED_PER_SECOND,
    bar: "≥ 1",
  };
}
