import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAccountSandbox } from "./account-sandbox.ts";
import { type CliResult, runCli } from "./run-cli.ts";

/** A real sandbox, and commands that use it with its first key. */
export interface CliSandbox {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  /** The folder for XDG_CONFIG_HOME, which is empty at the start. */
  readonly configHome: string;
  readonly env: Record<string, string>;
  run(...given: readonly string[]): Promise<CliResult>;
  /** Runs the command with --json and returns its JSON. Fails unless the command ends with 0. */
  json(...given: readonly string[]): Promise<unknown>;
  control(path: string, body: unknown): Promise<unknown>;
  /** Opens another account, and uses its key in later commands. This is faster than starting another sandbox. */
  openAccount(): Promise<void>;
  close(): Promise<void>;
}

export async function openCliSandbox(startMs: number | null = null): Promise<CliSandbox> {
  const sandbox = await startAccountSandbox(startMs, "cli");
  const configHome = await mkdtemp(join(tmpdir(), "propgate-config-"));
  const { baseUrl, keyId, secret } = sandbox.firstKey;
  const env = {
    XDG_CONFIG_HOME: configHome,
    PROPGATE_BASE_URL: baseUrl,
    PROPGATE_KEY_ID: keyId,
    PROPGATE_SECRET: secret,
  };
  const run = (...given: readonly string[]): Promise<CliResult> => runCli(given, { env });
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
    control: (path, body) => sandbox.control(path, body),
    async openAccount() {
      const key = await sandbox.open();
      env.PROPGATE_KEY_ID = key.keyId;
      env.PROPGATE_SECRET = key.secret;
    },
    async close() {
      await sandbox.stop();
      await rm(configHome, { recursive: true, force: true });
    },
  };
}
