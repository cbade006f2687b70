import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { bareEnvironment } from "../../test/environment/bare-environment.ts";
import { builtProgramPath } from "../../test/environment/built-program.ts";
import { ROOT } from "../../test/source-tree.ts";

/** The settings with which a service process is started. */
export interface VictimSettings {
  readonly port: number;
  readonly dataDir: string;
  /** Empty for the embedded database. */
  readonly databaseUrls: readonly string[];
  readonly operatorToken: string;
  readonly masterKey: string;
  /** Further settings, by their variables. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The program that runs the service, with its arguments; `propgate serve` by default. */
  readonly program?: readonly string[];
}

/**
 * The pause between two checks of whether the service has started. Shorter pauses would cost the tests processor time.
 */
const ASKED_EVERY_MS = 25;

/** The real service as a process of its own, which tests kill. */
export class Victim {
  readonly #plan: VictimSettings;
  #child: ChildProcess | null = null;
  #output = "";

  constructor(plan: VictimSettings) {
    this.#plan = plan;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#plan.port}`;
  }

  get dataDir(): string {
    return this.#plan.dataDir;
  }

  /** The end of the output since the last start, at most 4,000 characters. */
  get output(): string {
    return this.#output;
  }

  /** True before the first start and when the process has ended. */
  get isGone(): boolean {
    return this.#child === null || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Starts the service and resolves when it has started. @throws with its output when it does not */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const child = this.#spawn(settings);
    for (;;) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`the service did not start: ${this.#output}`);
      }
      if (await hasStarted(this.baseUrl)) return;
      await setTimeout(ASKED_EVERY_MS);
    }
  }

  /** Starts the service and kills it after this time, usually before the start is complete. */
  async startAndKill(afterMs: number): Promise<void> {
    this.#spawn();
    await setTimeout(afterMs);
    await this.kill();
  }

  #spawn(settings: Readonly<Record<string, string>> = {}): ChildProcess {
    const { port, dataDir, databaseUrls, operatorToken, masterKey } = this.#plan;
    const program = this.#plan.program ?? [builtProgramPath("packages/cli/src/main.ts"), "serve"];
    const child = spawn(process.execPath, ["--conditions=@propgate/source", ...program], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...bareEnvironment(),
        PROPGATE_PORT: String(port),
        PROPGATE_DATA_DIR: dataDir,
        PROPGATE_OPERATOR_TOKEN: operatorToken,
        PROPGATE_MASTER_KEY: masterKey,
        ...databaseSetting(databaseUrls),
        ...this.#plan.settings,
        ...settings,
      },
    });
    this.#child = child;
    this.#output = "";
    const record = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString()).slice(-4000);
    };
    child.stdout.on("data", record);
    child.stderr.on("data", record);
    return child;
  }

  /** Sends SIGSTOP: the process stops until it is resumed, and keeps its connections and locks. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  /** Sends SIGTERM, after which the service shuts down cleanly. Resolves when the process is gone. */
  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  /** Sends SIGKILL and waits until the process is gone. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async #end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (child === null || this.isGone) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await gone;
  }
}

function databaseSetting(urls: readonly string[]): Readonly<Record<string, string>> {
  const [first] = urls;
  if (first === undefined) return {};
  return urls.length === 1
    ? { PROPGATE_DATABASE_URL: first }
    : { PROPGATE_DATABASE_URLS: urls.join(",") };
}

/**
 * True when the node answers and does not report that it is starting. `/ready` need not be 200: a node takes its share
 * of the accounts later, and one with a wrong clock is never ready.
 */
async function hasStarted(baseUrl: string): Promise<boolean> {
  try {
    if (!(await fetch(`${baseUrl}/health`)).ok) return false;
    return !(await (await fetch(`${baseUrl}/ready`)).text()).includes("the service is starting");
  } catch {
    return false;
  }
}
