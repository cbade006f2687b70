import { Histogram, type Registry } from "@prometheus-io/client";
import type { HistogramTally } from "./histogram-tally.ts";
import type { MetricRow } from "./metric-table.ts";

type Labels = Readonly<Record<string, string>>;
type Written = Awaited<ReturnType<Histogram<string>["get"]>>;

/** A tally with the labels of its series. */
export interface TallySeries {
  readonly labels: Labels;
  readonly tally: HistogramTally;
}

/** A histogram of the library for Prometheus that reads its series from tallies when it is scraped. */
export class TalliedHistogram extends Histogram<string> {
  readonly #row: MetricRow;
  readonly #series: () => readonly TallySeries[];

  constructor(row: MetricRow, registry: Registry, series: () => readonly TallySeries[]) {
    super({ name: row.name, help: row.about, labelNames: [...row.labels], registers: [registry] });
    this.#row = row;
    this.#series = series;
  }

  override async get(): Promise<Written> {
    return this.getForPromString();
  }

  /** The registry calls this method for the text of a scrape. */
  async getForPromString(): Promise<Written> {
    const { name, about } = this.#row;
    const values = this.#series().flatMap((series) => samplesOf(name, series));
    return { name, help: about, type: "histogram", values, aggregator: "sum", collect: noop };
  }
}

function noop(): void {
  // A scrape has no values to collect: the tallies are always up to date.
}

function samplesOf(name: string, { labels, tally }: TallySeries): Written["values"] {
  let count = 0;
  const buckets = [...tally.counts].map((own, index) => {
    count += own;
    const le = String(tally.bounds[index] ?? "+Inf");
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: tally.sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
