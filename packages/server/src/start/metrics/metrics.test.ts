import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type MeasuredService,
  type MetricSeries,
  parseMetricSeries,
  startMeasuredService,
} from "../../testing/measured-service.ts";
import { METRICS } from "./metric-table.ts";

const TRADE = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 500 };
const NO_TRADE = { ...TRADE, value: -1 };
const READS = 7;
/** Metrics without a series here: the service has no fault, and a single process forwards no command. */
const EMPTY =
  /awaited_accounts|quotes_rejected|bus_messages_dropped|commands_forwarded|waiting_for_owner|forwarding_/;
const HAS_PROMTOOL = spawnSync("promtool", ["--version"]).status === 0;
if (!HAS_PROMTOOL) {
  process.stderr.write("\nSKIPPED: Prometheus is not installed (apt-get install prometheus)\n");
}

describe("GET /metrics", () => {
  let service: MeasuredService;
  let folder: string;
  let text: string;
  let series: readonly MetricSeries[];
  const total = (name: string, labels: Readonly<Record<string, string>> = {}): number =>
    series
      .filter((one) => one.name === name)
      .filter((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value))
      .reduce((sum, { value }) => sum + value, 0);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-metrics-"));
    service = await startMeasuredService(folder);
    for (let read = 0; read < READS; read += 1) {
      expect((await service.send("GET", "/account")).status).toBe(200);
    }
    const placed = await service.send("POST", "/orders", { trade: TRADE });
    expect(placed.status, placed.text).toBe(200);
    expect((await service.send("POST", "/orders", { trade: NO_TRADE })).status).toBe(400);
    expect((await service.send("GET", "/receipts/made-up-nonce")).status).toBe(200);
    const { baseUrl } = service.running;
    for (const path of ["/api/v1/trading/account", "/made/up?secret=1", "/health", "/", "/docs"]) {
      await (await fetch(`${baseUrl}${path}`)).text();
    }
    await (await fetch(`${baseUrl}/health`, { method: "DELETE" })).text();
    text = await service.scrape();
    series = parseMetricSeries(text);
    return async () => {
      await service.running.stop();
      await rm(folder, { recursive: true, force: true });
    };
  });

  test("GET /metrics has every metric of the table with its type and labels, and no other of its own", () => {
    const types = new Map(
      [...text.matchAll(/^# TYPE (propgate_\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]),
    );
    expect(types).toEqual(new Map(Object.values(METRICS).map(({ name, type }) => [name, type])));
    for (const { name, type, labels } of Object.values(METRICS)) {
      const own = series.filter((one) => one.name.replace(/_(bucket|sum|count)$/, "") === name);
      const all = type === "histogram" ? own : series.filter((one) => one.name === name);
      expect(all.length, name).toBeGreaterThan(EMPTY.test(name) ? -1 : 0);
      for (const one of all) {
        const { le: _, ...rest } = one.labels;
        expect(Object.keys(rest).sort(), name).toEqual([...labels].sort());
      }
    }
  });

  test("GET /metrics counts requests by route template and class of status", () => {
    const requests = "propgate_http_requests_total";
    const account = { method: "GET", route: "/api/v1/trading/account" };
    expect(total(requests, { ...account, status: "2xx" })).toBe(READS);
    expect(total(requests, { ...account, status: "4xx" })).toBe(1);
    const orders = { method: "POST", route: "/api/v1/trading/orders" };
    expect(total(requests, { ...orders, status: "2xx" })).toBe(1);
    expect(total(requests, { ...orders, status: "4xx" })).toBe(1);
    expect(total(requests, { route: "/api/v1/trading/receipts/{nonce}", status: "2xx" })).toBe(1);
    expect(total(requests, { route: "/health", status: "2xx" })).toBe(1);
    expect(total(requests, { method: "any", route: "unmatched", status: "4xx" })).toBe(2);
    expect(text).not.toMatch(/made|secret/);
  });

  test("GET /metrics has the time of each signed request, and of its parts as far as it came", () => {
    const seconds = "propgate_http_request_duration_seconds";
    expect(total(`${seconds}_count`, { route: "/api/v1/trading/account" })).toBe(READS + 1);
    const parts = "propgate_http_request_part_duration_seconds_count";
    // This counts every signed request but the one without headers. The unknown receipt and the bad order count because
    // the endpoint rejects them.
    expect(total(parts, { part: "checks" })).toBe(READS + 3);
    expect(total(parts, { part: "admission" })).toBe(READS + 3);
    expect(total(parts, { part: "work" })).toBe(READS + 3);
    const infinite = { route: "/api/v1/trading/account", le: "+Inf" };
    expect(total(`${seconds}_bucket`, infinite)).toBe(READS + 1);
  });

  test("GET /metrics counts rejections by error, admissions, commits and journal lines", () => {
    const errors = series.filter(({ name }) => name === "propgate_http_rejections_total");
    expect(errors.map(({ value }) => value)).toEqual([1, 1]);
    expect(total("propgate_admission_batch_requests_sum")).toBe(READS + 3);
    // The commands are the opening of the first account and one order.
    expect(total("propgate_executor_batch_commands_sum")).toBeGreaterThanOrEqual(2);
    expect(total("propgate_journal_lines_written_total")).toBeGreaterThanOrEqual(2);
    expect(total("propgate_faults_total")).toBe(0);
  });

  test("GET /metrics shows prices, readiness, connections and the database's own estimates", () => {
    expect(total("propgate_board_quote_age_seconds", { pair: "BTCUSD" })).toBeGreaterThanOrEqual(0);
    expect(total("propgate_quotes_accepted_total")).toBeGreaterThan(10);
    expect(total("propgate_ready")).toBe(1);
    expect(total("propgate_database_up")).toBe(1);
    const tables = series.filter(({ name }) => name === "propgate_table_rows");
    const names = tables.map(({ labels }) => labels.table);
    expect(names).toEqual(expect.arrayContaining(["nonces", "nonce_blocks", "journal"]));
    expect(new Set(names).size).toBe(names.length);
  });

  test("GET /metrics has node's own figures under their standard names", () => {
    expect(total("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(total("nodejs_heap_size_used_bytes")).toBeGreaterThan(1_000_000);
  });

  test("GET /metrics is served by its own listener alone", async () => {
    const { baseUrl, operatorUrl } = service.running;
    expect((await fetch(`${baseUrl}/metrics`)).status).toBe(404);
    expect((await fetch(`${operatorUrl}/metrics`)).status).not.toBe(200);
    const own = new URL(service.metricsUrl).origin;
    for (const path of ["/", "/health", "/api/v1/trading/account", "/operator/v1/health"]) {
      expect((await fetch(`${own}${path}`)).status, path).toBe(404);
    }
    expect((await fetch(service.metricsUrl, { method: "POST" })).status).toBe(404);
  });

  test("GET /metrics names no account, key or person", () => {
    const { accountId, firstKey } = service.running;
    expect(text).not.toContain(accountId ?? "");
    expect(text).not.toContain(firstKey?.keyId ?? "");
  });

  test.skipIf(!HAS_PROMTOOL)("GET /metrics passes the checks of promtool", () => {
    const check = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
    const complaints = `${check.stdout}${check.stderr}`.split("\n").filter((line) => line !== "");
    // The client library itself has names with suffixes that promtool discourages.
    expect(complaints.filter((line) => !line.startsWith("nodejs_"))).toEqual([]);
  });
});
