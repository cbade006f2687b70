/** The sandbox in which the firm rehearses, with functions that control its clock and its prices. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const COMMAND = join(import.meta.dirname, "../../packages/cli/bin/propgate.js");
const PROGRAMS = join(import.meta.dirname, "programs.json");

/** The maximum number of characters of the sandbox's log that are kept for an error message. The last ones are kept. */
const LOG_MAX = 4_000;

export interface FirmSandbox {
  readonly baseUrl: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  /** The sandbox's time in milliseconds. */
  readonly now: () => number;
  /** Moves the clock. Resolves when all work due until then is done and every webhook is delivered. */
  readonly at: (iso: string) => Promise<void>;
  /** Pushes one price as the firm's feed does. Resolves when everything that it triggers is settled. */
  readonly push: (tradePair: string, level: number) => Promise<void>;
  /** Makes the sandbox carry out the operator's next write without an answer. */
  readonly loseNextAnswer: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Ready {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
}

export async function openSandbox(start: string): Promise<FirmSandbox> {
  const given = ["sandbox", "--operator", "--programs", PROGRAMS, "--start", start];
  const sandbox = spawn(process.execPath, [COMMAND, ...given], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  sandbox.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-LOG_MAX);
  });
  const ended = once(sandbox, "close").then(() => {
    throw new Error(`the sandbox has ended: ${log}`);
  });
  const [line] = await Promise.race([once(createInterface(sandbox.stdout), "line"), ended]);
  // From here on, the end of the sandbox is not an error. `stop` ends it and waits for that.
  ended.catch(() => undefined);
  const ready = JSON.parse(String(line)) as Ready;
  let now = Date.parse(start);
  let sequence = 0;
  const control = async (path: string, body: string, type: string): Promise<unknown> => {
    const response = await fetch(ready.controlUrl + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${ready.controlToken}`, "Content-Type": type },
      body,
    });
    const answer: unknown = await response.json();
    assert.equal(response.status, 200, `${path} ${JSON.stringify(answer)}`);
    return answer;
  };
  const call = (path: string, body: unknown) =>
    control(path, JSON.stringify(body), "application/json");
  return {
    ...ready,
    now: () => now,
    async at(iso) {
      await call("/clock", { set: Date.parse(iso) });
      now = Date.parse(iso);
    },
    async push(tradePair, level) {
      sequence += 1;
      const quote = { tradePair, bid: level, ask: level, sequence };
      const answer = await control(
        "/prices/v1/quotes",
        `${JSON.stringify(quote)}\n`,
        "application/x-ndjson",
      );
      assert.deepEqual(answer, { taken: 1, rejected: {}, first: null, ignored: [] });
    },
    async loseNextAnswer() {
      await call("/faults", { operator: "acceptThenDrop" });
    },
    async stop() {
      sandbox.kill();
      await once(sandbox, "close");
    },
  };
}
