import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "@propgate/server";
import { type CliResult, runCli } from "./run-cli.ts";

/** A real sandbox, and the command that talks to it with its first key. */
export interface CliSandbox {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  /** An empty XDG_CONFIG_HOME. */
  readonly configHome: string;
  readonly env: Record<string, string>;
  run(...given: readonly string[]): Promise<CliResult>;
  /** Runs the command with --json. Fails unless it ends with 0. */
  json(...given: readonly string[]): Promise<unknown>;
  control(path: string, body: unknown): Promise<unknown>;
  /** Opens another account, whose key the command uses afterwards. Faster than another sandbox. */
  openAccount(): Promise<void>;
  close(): Promise<void>;
}

export async function openCliSandbox(startMs: number | null = null): Promise<CliSandbox> {
  const sandbox = await startSandbox({
    port: 0,
    startMs,
    seed: "cli",
    clock: startMs === null ? "real" : "frozen",
    dataDir: null,
    networkTimeoutMs: 15_000,
  });
  const configHome = await mkdtemp(join(tmpdir(), "propgate-config-"));
  const { baseUrl, controlUrl, controlToken, keyId, secret } = sandbox.ready;
  const env = {
    XDG_CONFIG_HOME: configHome,
    PROPGATE_BASE_URL: baseUrl,
    PROPGATE_KEY_ID: keyId,
    PROPGATE_SECRET: secret,
  };
  const run = (...given: readonly string[]): Promise<CliResult> => runCli(given, { env });
  const control = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${controlUrl}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${controlToken}` },
      body: JSON.stringify(body),
    });
    if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  return {
    baseUrl,
    keyId,
    secret,
    configHome,
    env,
    run,
    async json(...given) {
      const { code, stdout, stderr } = await run(...given, "--json");
      if (code !== 0) throw new Error(`${given.join(" ")} ended with ${code}: ${stdout}${stderr}`);
      return JSON.parse(stdout);
    },
    control,
    async openAccount() {
      const { accountId } = await made(control("/accounts", { size: 100_000 }));
      const scopes = ["trade:read", "trade:place"];
      const key = await made(control("/keys", { accountId, scopes }));
      env.PROPGATE_KEY_ID = String(key.keyId);
      env.PROPGATE_SECRET = String(key.secret);
    },
    async close() {
      await sandbox.stop();
      await rm(configHome, { recursive: true, force: true });
    },
  };
}

/** The fields that a control call returns in its answer or in its `data`. */
async function made(answer: Promise<unknown>): Promise<Readonly<Record<string, unknown>>> {
  const body = Object(await answer);
  return Object("data" in body ? body.data : body);
}
