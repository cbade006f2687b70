import { METRICS, type MetricRow } from "../../packages/server/src/start/metrics/metric-table.ts";
import { markdownPage, markdownTable, type ReferencePage } from "./markdown.ts";

/** The page of every metric of the service, from the table that registers the metrics. */
export function metricsPage(): ReferencePage {
  const rows = Object.values(METRICS).map(({ name, type, labels, about }: MetricRow) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(", "),
    about,
  ]);
  return {
    path: "docs/reference/metrics.md",
    content: markdownPage({
      title: "Metrics",
      source: "packages/server/src/start/metrics/metric-table.ts",
      blocks: [
        "`GET /metrics` on the listener of `PROPGATE_METRICS_LISTEN` has these metrics in Prometheus' text format, beside the standard ones of the process (`process_…`, `nodejs_…`). [Operate it](../guides/operate.md#metrics) describes the dashboard and the alerts.",
        markdownTable(["Metric", "Type", "Labels", "What it shows"], rows),
      ],
    }),
  };
}
