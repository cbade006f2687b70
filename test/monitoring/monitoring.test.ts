import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type MeasuredService,
  type MetricSeries,
  parseMetricSeries,
  startMeasuredService,
} from "../../packages/server/src/testing/measured-service.ts";
import { eventually } from "../eventually.ts";
import { ROOT, readText } from "../source-tree.ts";
import { HAS_PROMETHEUS, type RunningPrometheus, startPrometheus } from "./prometheus.ts";

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const DASHBOARD = JSON.parse(readText("deploy/grafana/propgate.json")) as {
  readonly panels: readonly Panel[];
};
const PANELS = DASHBOARD.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({
    title,
    expr: expr.replaceAll("$instance", ".*"),
    legend: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label),
  })),
);
const ALERTS = readText("deploy/prometheus/alerts.yml")
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((rule) => ({
    name: /^\w+/.exec(rule)?.[0] ?? "",
    expr: (/ expr: (?:>-\n)?([\s\S]*?)\n {8}(?:for|labels):/.exec(rule)?.[1] ?? "").replace(
      /\s+/g,
      " ",
    ),
    runbook: / runbook: "(.+)"/.exec(rule)?.[1] ?? "",
  }));
/** Labels that Prometheus itself adds to a series. */
const TARGET_LABELS = ["instance", "job"];
/** Expressions that a healthy service has no series for. */
const EMPTY_WHEN_HEALTHY = [/ > 0$/, /quotes_rejected/, /bus_messages_dropped/];
const TRADE = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 500 };

/** The metrics and labels that an expression of PromQL names. */
function namesIn(expr: string): { readonly metrics: string[]; readonly labels: string[] } {
  const selected = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = ""]) =>
    [...inner.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
  );
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inner = ""]) =>
    inner.split(",").map((label) => label.trim()),
  );
  const bare = expr.replace(/\{[^}]*\}/g, "");
  const metrics = bare.match(/\b(?:propgate|process|nodejs)_\w+|\bup\b/g) ?? [];
  return { metrics: [...new Set(metrics)], labels: [...new Set([...selected, ...grouped])] };
}

/**
 * Collects garbage, so that the service has metrics about it. A service that has done little may not have collected any
 * yet.
 */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
}

describe("dashboard and alerts", () => {
  let folder: string;
  let service: MeasuredService;
  let prometheus: RunningPrometheus | null = null;
  let scraped: readonly MetricSeries[];

  const missing = (expr: string): readonly string[] => {
    const { metrics, labels } = namesIn(expr);
    const own = scraped.filter(({ name }) => metrics.includes(name));
    const known = new Set([...own.flatMap((one) => Object.keys(one.labels)), ...TARGET_LABELS]);
    const isEmpty = EMPTY_WHEN_HEALTHY.some((pattern) => pattern.test(expr));
    return [
      ...metrics.filter(
        (metric) => metric !== "up" && !isEmpty && !own.some(({ name }) => name === metric),
      ),
      ...labels.filter((label) => !isEmpty && !known.has(label)),
    ];
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-monitoring-"));
    service = await startMeasuredService(folder);
    const { host } = new URL(service.metricsUrl);
    for (let call = 0; call < 5; call += 1) {
      expect((await service.send("GET", "/account")).status).toBe(200);
      expect((await service.send("POST", "/orders", { trade: TRADE })).status).toBe(200);
      expect((await service.send("POST", "/orders", {})).status).toBe(400);
    }
    collectGarbage();
    scraped = await eventually(async () => {
      const series = parseMetricSeries(await service.scrape());
      expect(series.map(({ name }) => name)).toContain("nodejs_gc_duration_seconds_sum");
      return series;
    });
    if (HAS_PROMETHEUS) prometheus = await startPrometheus(host);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await service.running.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test("dashboard and alerts are there to be checked", () => {
    expect(PANELS.length).toBeGreaterThan(25);
    expect(ALERTS.length).toBeGreaterThan(10);
    for (const { expr } of ALERTS) expect(namesIn(expr).metrics.length, expr).toBeGreaterThan(0);
  });

  test.each(PANELS)("panel $title names metrics and labels of the scrape: $expr", ({ expr }) => {
    expect(missing(expr)).toEqual([]);
  });

  test.each(ALERTS)("alert $name names metrics and labels of the scrape", ({ expr }) => {
    expect(missing(expr.replace(/ > 0$/, " > 1"))).toEqual([]);
  });

  test("a misspelt metric or label is found", () => {
    expect(missing("sum by (rout) (rate(propgate_http_request_total[5m]))")).toEqual([
      "propgate_http_request_total",
      "rout",
    ]);
    expect(missing('propgate_board_quote_age_seconds{pairs="BTCUSD"}')).toEqual(["pairs"]);
  });

  test.skipIf(!HAS_PROMETHEUS).each(PANELS)(
    "Prometheus answers panel $title: $expr",
    async ({ expr, legend }) => {
      const { error, series } = (await prometheus?.query(expr)) ?? { error: "none", series: [] };
      expect(error).toBeNull();
      if (EMPTY_WHEN_HEALTHY.some((pattern) => pattern.test(expr))) return;
      expect(series.length).toBeGreaterThan(0);
      for (const labels of series)
        expect(Object.keys(labels)).toEqual(expect.arrayContaining(legend));
    },
  );

  test.skipIf(!HAS_PROMETHEUS).each(ALERTS)(
    "Prometheus evaluates alert $name, and a healthy service does not raise it",
    async ({ expr }) => {
      const { error, series } = (await prometheus?.query(expr)) ?? { error: "none", series: [] };
      expect(error).toBeNull();
      expect(series).toEqual([]);
    },
  );

  test.skipIf(!HAS_PROMETHEUS).each([
    ["rules", "deploy/prometheus/alerts.yml"],
    ["config", "deploy/prometheus/prometheus.yml"],
  ])("promtool accepts %s of %s", (kind, path) => {
    const check = spawnSync("promtool", ["check", kind, path], { cwd: ROOT, encoding: "utf8" });
    expect(check.status, check.stderr).toBe(0);
  });

  test.each(ALERTS)("alert $name has a runbook and a row in the guide", ({ name, runbook }) => {
    expect(runbook).not.toBe("");
    expect(readText("docs/guides/operate.md")).toContain(`| \`${name}\` |`);
  });
});
