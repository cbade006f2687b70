import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../environment/free-port.ts";
import { until } from "../eventually.ts";
import { ROOT } from "../source-tree.ts";

/** The number of scrapes before a query. A rate needs two samples of a series. */
const SCRAPES_BEFORE_QUERY = 3;

/** The answer of Prometheus to one query. `error` is null on success. */
export interface QueryAnswer {
  readonly error: string | null;
  /** The labels of each found series. */
  readonly series: readonly Readonly<Record<string, string>>[];
}

export interface RunningPrometheus {
  query(expression: string): Promise<QueryAnswer>;
  stop(): Promise<void>;
}

export const HAS_PROMETHEUS = spawnSync("prometheus", ["--version"]).status === 0;
if (!HAS_PROMETHEUS) {
  process.stderr.write("\nSKIPPED: Prometheus is not installed (apt-get install prometheus)\n");
}

/** Starts a real Prometheus with the rules of `deploy/`, which scrapes `target` every second. */
export async function startPrometheus(target: string): Promise<RunningPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), "propgate-prometheus-"));
  const configuration = join(folder, "prometheus.yml");
  await writeFile(configuration, configurationOf(target));
  const port = await freePort();
  const child: ChildProcess = spawn(
    "prometheus",
    [
      `--config.file=${configuration}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const query = async (expression: string): Promise<QueryAnswer> => {
    const address = `http://127.0.0.1:${port}/api/v1/query`;
    const sent = await fetch(address, {
      method: "POST",
      body: new URLSearchParams({ query: expression }),
    });
    const answer = (await sent.json()) as {
      readonly error?: string;
      readonly data?: { readonly result: readonly { metric: Record<string, string> }[] };
    };
    return {
      error: answer.error ?? null,
      series: (answer.data?.result ?? []).map(({ metric }) => metric),
    };
  };
  const isReady = async (): Promise<boolean> => {
    const enough = `count_over_time(propgate_ready[5m]) >= ${SCRAPES_BEFORE_QUERY}`;
    const found = await query(enough).catch(() => null);
    return found !== null && found.series.length > 0;
  };
  const ended = exited.then(() => Promise.reject(new Error("Prometheus ended")));
  ended.catch(() => undefined);
  await Promise.race([until(isReady), ended]);
  return { query, stop };
}

function configurationOf(target: string): string {
  return `
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: ["${resolve(ROOT, "deploy/prometheus/alerts.yml")}"]
scrape_configs:
  - job_name: propgate
    static_configs: [{ targets: ["${target}"] }]
`;
}
