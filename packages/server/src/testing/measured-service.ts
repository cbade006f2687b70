import { randomUUID } from "node:crypto";
import { readSettings } from "../../../base/src/config.ts";
import type { RunningService } from "../start/running-service.ts";
import { startService } from "../start/start-service.ts";
import { type Reply, type Signer, sendRequest, signedHeaders } from "./signed-request.ts";

const API = "/api/v1/trading";

/** One series of a scrape: a name, its labels and the value. */
export interface MetricSeries {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The service on simulated prices, with its listener for metrics. */
export interface MeasuredService {
  readonly running: RunningService;
  readonly metricsUrl: string;
  readonly signer: Signer;
  send(method: string, target: string, body?: unknown): Promise<Reply>;
  scrape(): Promise<string>;
}

export async function startMeasuredService(
  dataDir: string,
  databaseUrl = "",
): Promise<MeasuredService> {
  const reading = readSettings(
    { PROPGATE_METRICS_LISTEN: "127.0.0.1:0", PROPGATE_DATABASE_URL: databaseUrl },
    { port: "0", dataDir, logLevel: "silent" },
  );
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  const running = await startService(reading.settings);
  const { metricsUrl, firstKey } = running;
  if (metricsUrl === null || firstKey === null) throw new Error("metrics and a first key");
  return {
    running,
    metricsUrl,
    signer: firstKey,
    send(method, path, body) {
      const target = `${API}${path}`;
      const text = body === undefined ? "" : JSON.stringify(body);
      const timestamp = String(Date.now());
      const nonce = randomUUID();
      const headers = signedHeaders(firstKey, { method, target, body: text, timestamp, nonce });
      const { hostname, port } = new URL(running.baseUrl);
      const type = { "Content-Type": "application/json" };
      return sendRequest(
        { method, hostname, port, path: target, headers: { ...headers, ...type } },
        text,
      );
    },
    scrape: async () => (await fetch(metricsUrl)).text(),
  };
}

/** The series of a text in Prometheus' format. */
export function parseMetricSeries(text: string): readonly MetricSeries[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name = "", labels = "", value = ""] =
        /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
      if (name === "") throw new Error(`not a series: ${line}`);
      const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)];
      return {
        name,
        labels: Object.fromEntries(pairs.map(([, label = "", text = ""]) => [label, text])),
        value: Number(value),
      };
    });
}
