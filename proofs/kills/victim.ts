import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { ROOT } from "../../test/source-tree.ts";

export interface VictimPlan {
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly operatorToken: string;
  readonly masterKey: string;
  /** Further settings, by their variables. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The real service as its own process, to be killed without a word. */
export class Victim {
  readonly #plan: VictimPlan;
  #child: ChildProcess | null = null;
  #said = "";

  constructor(plan: VictimPlan) {
    this.#plan = plan;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#plan.port}`;
  }

  /** The end of all that it has written since it was last started. */
  get said(): string {
    return this.#said;
  }

  /** With further settings; resolves when it answers, throws with what it said when it does not start. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const child = this.#spawn(settings);
    for (;;) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`the service did not start: ${this.#said}`);
      }
      if (await answers(`${this.baseUrl}/health`)) return;
      await setTimeout(10);
    }
  }

  /** A start that does not get to its end: killed after that time. */
  async startAndKill(afterMs: number): Promise<void> {
    this.#spawn();
    await setTimeout(afterMs);
    await this.kill();
  }

  #spawn(settings: Readonly<Record<string, string>> = {}): ChildProcess {
    const { port, dataDir, databaseUrl, operatorToken, masterKey } = this.#plan;
    const child = spawn(
      process.execPath,
      ["--conditions=@propgate/source", "packages/cli/src/main.ts", "serve"],
      {
        cwd: ROOT,
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          PATH: process.env.PATH,
          PROPGATE_PORT: String(port),
          PROPGATE_DATA_DIR: dataDir,
          PROPGATE_OPERATOR_TOKEN: operatorToken,
          PROPGATE_MASTER_KEY: masterKey,
          ...(databaseUrl === null ? {} : { PROPGATE_DATABASE_URL: databaseUrl }),
          ...this.#plan.settings,
          ...settings,
        },
      },
    );
    this.#child = child;
    this.#said = "";
    const hear = (chunk: Buffer): void => {
      this.#said = (this.#said + chunk.toString()).slice(-4000);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    return child;
  }

  /** SIGSTOP: it does nothing until it is resumed, and keeps its connections and locks. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  /** SIGKILL, and waits until the process is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
