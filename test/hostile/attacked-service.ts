import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  type Signer,
  sendRequest,
  signedHeaders,
} from "../../packages/server/src/testing/signed-request.ts";
import { bareEnvironment } from "../environment/bare-environment.ts";
import { builtProgramPath } from "../environment/built-program.ts";
import { firstOutputLine } from "../first-line.ts";
import type { AttackPlan } from "./attack-plan.ts";

export const ATTACKED_OPERATOR_TOKEN = "hostile-operator-token-000000";
const HEAP_MB = 1_024;
const ACCOUNT = "/api/v1/trading/account";
const HONEST_EVERY_MS = 50;
const QUIET_MS = 500;
/** The maximum processor time that a quiet process uses in `QUIET_MS`, in hundredths of a second. */
const QUIET_TICKS_MAX = 3;

/** A service or a sandbox in a process with a heap of 1 GB, and an honest client of it. */
export interface AttackedService {
  readonly port: number;
  /** The port of the sandbox's control plane; null for a service. */
  readonly controlPort: number | null;
  newKey(): Promise<Signer>;
  /** Sends 20 signed reads a second until `during` is settled. */
  honest(during: Promise<unknown>): Promise<HonestClientFigures>;
  /**
   * Starts to measure memory. The returned function returns, in MB, how much the highest resident memory since then
   * exceeds the memory at the start.
   */
  startMeter(): () => number;
  stop(): Promise<void>;
}

/** The measurements of the honest client. */
export interface HonestClientFigures {
  /** The number of requests that the client sent. Each had an answer. */
  readonly sent: number;
  readonly p99Ms: number;
  readonly p50Ms: number;
  /** Answers other than 200, in order of arrival. */
  readonly others: readonly number[];
}

/** Starts the service or the sandbox, and waits until it needs almost no processor time. */
export async function startAttackedService(kind: "service" | "sandbox"): Promise<AttackedService> {
  const dataDir = await mkdtemp(join(tmpdir(), "propgate-hostile-"));
  const child = run(builtProgramPath("test/hostile/service-process.ts"), kind, {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --max-old-space-size=${HEAP_MB}`,
    PROPGATE_PORT: "0",
    PROPGATE_DATA_DIR: dataDir,
    PROPGATE_OPERATOR_TOKEN: ATTACKED_OPERATOR_TOKEN,
  });
  const ready: unknown = JSON.parse(await firstOutputLine(child));
  const port = portOf(ready, "baseUrl") ?? 0;
  const controlPort = portOf(ready, "controlUrl");
  const newKey = kind === "service" ? await keyMaker(port) : async () => signerOf(ready);
  const keys = await Promise.all(Array.from({ length: kind === "service" ? 20 : 1 }, newKey));
  const { pid = 0 } = child;
  while (!(await isQuiet(pid)));
  return {
    port,
    controlPort,
    newKey,
    honest: (during) => honestClient(port, keys, during),
    startMeter() {
      writeFileSync(`/proc/${pid}/clear_refs`, "5");
      const before = memoryMb(pid, "VmRSS");
      return () => memoryMb(pid, "VmHWM") - before;
    },
    async stop() {
      child.kill("SIGKILL");
      await once(child, "close");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Runs an attack in a process of its own to its end. Resolves with the number of answers that a `loop` got; a `burst`
 * reads none.
 */
export async function runAttack(plan: AttackPlan): Promise<number> {
  const attacker = fileURLToPath(new URL("attacker.ts", import.meta.url));
  const child = run(attacker, JSON.stringify(plan), {});
  return Number(await firstOutputLine(child));
}

function run(
  path: string,
  word: string,
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  return spawn(process.execPath, ["--conditions=@propgate/source", path, word], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...bareEnvironment(), ...environment },
  });
}

function portOf(ready: unknown, name: string): number | null {
  const url: unknown = Reflect.get(Object(ready), name);
  return typeof url === "string" ? Number(new URL(url).port) : null;
}

function signerOf(data: unknown): Signer {
  const { keyId, secret } = Object(data);
  return { keyId: String(keyId), secret: String(secret) };
}

async function keyMaker(port: number): Promise<() => Promise<Signer>> {
  const operate = async (path: string, body: unknown): Promise<unknown> => {
    const headers = {
      Authorization: `Bearer ${ATTACKED_OPERATOR_TOKEN}`,
      "Content-Type": "application/json",
    };
    const request = { port, method: "POST", path: `/operator/v1${path}`, headers };
    const reply = await sendRequest(request, JSON.stringify(body));
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return Object(reply.json()).data;
  };
  const { accountId } = Object(await operate("/accounts", { size: 100_000, ownerId: "honest" }));
  const scopes = ["trade:read", "trade:place"];
  return async () => signerOf(await operate("/keys", { accountId, scopes }));
}

async function honestClient(
  port: number,
  keys: readonly Signer[],
  during: Promise<unknown>,
): Promise<HonestClientFigures> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const others: number[] = [];
  const asking: Promise<void>[] = [];
  const read = async (signer: Signer, nonce: string): Promise<void> => {
    const request = { method: "GET", target: ACCOUNT, body: "", nonce };
    const headers = signedHeaders(signer, { ...request, timestamp: String(Date.now()) });
    const sentAt = performance.now();
    const reply = await sendRequest({ port, agent, path: ACCOUNT, headers });
    times.push(performance.now() - sentAt);
    if (reply.status !== 200) others.push(reply.status);
  };
  const startedAt = Date.now();
  let isOver = false;
  const over = during.finally(() => (isOver = true));
  for (let count = 0; !isOver; count += 1) {
    const signer = keys[count % keys.length];
    if (signer === undefined) throw new Error("an honest client needs keys");
    asking.push(read(signer, `honest-${startedAt}-${count}`));
    await sleep(HONEST_EVERY_MS);
  }
  await Promise.all([over, ...asking]);
  agent.destroy();
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? 0;
  return { sent: times.length, p50Ms: at(0.5), p99Ms: at(0.99), others };
}

/**
 * Whether a service that has started needs almost no processor time. Until then it compiles, which takes 500 MB for a
 * second.
 */
async function isQuiet(pid: number): Promise<boolean> {
  const before = processorTicks(pid);
  await sleep(QUIET_MS);
  return processorTicks(pid) - before <= QUIET_TICKS_MAX;
}

function processorTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ");
  return Number(fields[13]) + Number(fields[14]);
}

function memoryMb(pid: number, name: "VmRSS" | "VmHWM"): number {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1] ?? 0) / 1_024;
}
