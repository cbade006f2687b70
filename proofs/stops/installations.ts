import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  createDashboardClient,
  type DashboardClient,
  TEST_PASSWORD,
} from "../../packages/server/src/testing/dashboard-client.ts";
import { freePort } from "../../test/environment/free-port.ts";
import { createCredentials, type Trader } from "../kills/kill-under-load.ts";
import { callOperator } from "../kills/run-kills.ts";
import { Victim } from "../kills/victim.ts";
import { openNodeGroup } from "../nodes/node-group.ts";
import { resultNumber, resultText } from "../result-parts.ts";
import type { SentQuote } from "./trailing-stop.ts";

/** How a process is ended: `kill` sends SIGKILL, `stop` sends SIGTERM. */
export type ProcessEnd = "kill" | "stop";

/** An installation of the real service whose prices come from the proof. */
export interface Installation {
  readonly name: string;
  /** The addresses of the nodes that answer. */
  readonly baseUrls: readonly string[];
  /** The time of the service's clock, with which requests are signed. */
  now(): number;
  /**
   * True when the service carries out everything that a quote causes before it answers the request that pushed the
   * quote.
   */
  readonly settlesQuotes: boolean;
  /** A browser of a signed-in operator for each node; none where there are no pages. */
  readonly browsers: readonly DashboardClient[];
  /** Opens an account and returns its keys. */
  newTrader(): Promise<readonly Trader[]>;
  /** Sends a quote of the pair. @throws when the service does not accept it */
  push(quote: SentQuote): Promise<void>;
  /** Ends a process and starts it again. */
  lose(how: ProcessEnd): Promise<void>;
  close(): Promise<void>;
}

/** The only pair that is traded in the proof. */
export const TRADED_PAIR = "BTCUSD";

/** The number of keys of an account. A key has 120 reads a minute, and an account is read more often. */
const KEYS = 8;
const SCOPES = ["trade:read", "trade:place"];
const TOKEN = "token-of-the-proof-of-stops";
const RETRY_MS = 50;

/** Opens the service on the embedded database. It keeps a tape for `tapeDays`, or none for 0. */
export async function openEmbeddedService(name: string, tapeDays: number): Promise<Installation> {
  const { operatorToken, masterKey } = createCredentials();
  const dataDir = await mkdtemp(join(tmpdir(), "propgate-stops-"));
  const pushPort = await freePort();
  const victim = new Victim({
    port: await freePort(),
    dataDir,
    databaseUrls: [],
    operatorToken,
    masterKey,
    settings: {
      ...COMPILED,
      ...pushSettings(pushPort),
      PROPGATE_TAPE_DAYS: String(tapeDays),
    },
  });
  const close = async (): Promise<void> => {
    await victim.kill();
    await rm(dataDir, { recursive: true, force: true });
  };
  const call: Operate = (path, body) => callOperator(victim, { token: operatorToken, path, body });
  const { baseUrl } = victim;
  return openOrClose(close, async () => {
    await victim.start();
    return {
      name,
      baseUrls: [baseUrl],
      now: Date.now,
      settlesQuotes: false,
      browsers: await signedIn([baseUrl], call),
      newTrader: () => traderOf(call),
      push: (quote) => pushTo(pushPort, quote),
      async lose(how) {
        await (how === "kill" ? victim.kill() : victim.stop());
        await victim.start();
      },
      close,
    };
  });
}

/**
 * Opens two nodes on a database of the PostgreSQL server and on NATS. The proof ends one node after the other, and the
 * node that still runs takes over.
 */
export async function openNodePair(serverUrl: string): Promise<Installation> {
  const pushPort = await freePort();
  const nodes = await openNodeGroup(serverUrl, {
    settings: { ...COMPILED, ...pushSettings(pushPort), PROPGATE_ROLE: "engine" },
    firstNode: () => ({ PROPGATE_ROLE: "all" }),
  });
  const call: Operate = async (path, body) => {
    for (;;) {
      const { status, body: answer } = await nodes.operate(0, `POST ${path}`, body);
      if (status === 200) return dataOf(answer);
      // A call on a partition without an owner gets 503 until a node owns it.
      await setTimeout(RETRY_MS);
    }
  };
  const baseUrls = nodes.nodes.map(({ baseUrl }) => baseUrl);
  let turn = 0;
  const close = (): Promise<void> => nodes.close();
  return openOrClose(close, async () => ({
    name: "two nodes",
    baseUrls,
    now: Date.now,
    settlesQuotes: false,
    browsers: await signedIn(baseUrls, call),
    newTrader: () => traderOf(call),
    push: (quote) => pushTo(pushPort, quote),
    async lose(how) {
      turn += 1;
      const node = turn % nodes.nodes.length;
      const lost = nodes.nodes[node];
      if (how === "stop") await lost?.stop();
      await nodes.restart(node, {});
    },
    close,
  }));
}

/** Opens the sandbox on a folder, with a running clock. */
export async function openSandboxOnFolder(): Promise<Installation> {
  const { operatorToken, masterKey } = createCredentials();
  const dataDir = await mkdtemp(join(tmpdir(), "propgate-stops-"));
  const port = await freePort();
  const options = ["--port", String(port), "--data", dataDir, "--clock", "real"];
  const victim = new Victim({
    port,
    dataDir,
    databaseUrls: [],
    operatorToken,
    masterKey,
    settings: { ...COMPILED, ...NO_SERVICE },
    program: ["packages/cli/src/main.ts", "sandbox", ...options],
  });
  let ready: unknown = null;
  /** The time by which the sandbox's clock is behind, because it does not advance while the sandbox is down. */
  let behindMs = 0;
  const start = async (): Promise<void> => {
    await victim.start();
    for (;;) {
      const line = /^\{"baseUrl".*\}$/m.exec(victim.output)?.[0];
      if (line !== undefined) {
        ready = JSON.parse(line);
        behindMs = Date.now() - (await sandboxTime(ready));
        return;
      }
      await setTimeout(RETRY_MS);
    }
  };
  const control: Operate = async (path, body) =>
    posted(`${resultText(ready, "controlUrl")}${path}`, resultText(ready, "controlToken"), body);
  const close = async (): Promise<void> => {
    await victim.kill();
    await rm(dataDir, { recursive: true, force: true });
  };
  return openOrClose(close, async () => {
    await start();
    return {
      name: "sandbox",
      baseUrls: [victim.baseUrl],
      now: () => Date.now() - behindMs,
      settlesQuotes: true,
      browsers: [],
      newTrader: () => traderOf(control),
      async push(quote) {
        await control("/quotes", [{ pair: TRADED_PAIR, ...quote }]);
      },
      async lose(how) {
        await (how === "kill" ? victim.kill() : victim.stop());
        await start();
      },
      close,
    };
  });
}

/** Posts a call to the operator's interface or to the sandbox's control plane, and returns the data of the answer. */
type Operate = (path: string, body: unknown) => Promise<unknown>;

/** Clears the settings that only the service has, because the sandbox refuses them. */
const NO_SERVICE = { PROPGATE_PORT: "", PROPGATE_DATA_DIR: "", PROPGATE_MASTER_KEY: "" };

/** With this cache Node compiles the sources only at the first start. */
const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), "propgate-compile-cache") };

function pushSettings(port: number): Readonly<Record<string, string>> {
  return {
    PROPGATE_PRICES: "push",
    PROPGATE_PUSH_TOKEN: TOKEN,
    PROPGATE_PUSH_LISTEN: `127.0.0.1:${port}`,
  };
}

/** Opens an installation, and calls `close` when the opening throws. */
async function openOrClose(
  close: () => Promise<void>,
  open: () => Promise<Installation>,
): Promise<Installation> {
  try {
    return await open();
  } catch (cause) {
    await close();
    throw cause;
  }
}

async function pushTo(port: number, quote: SentQuote): Promise<void> {
  await posted(`http://127.0.0.1:${port}/prices/v1/quotes`, TOKEN, {
    tradePair: TRADED_PAIR,
    ...quote,
  });
}

async function posted(url: string, token: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (response.status === 200) return answer;
  throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`);
}

async function sandboxTime(ready: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${resultText(ready, "controlToken")}` };
  const response = await fetch(`${resultText(ready, "controlUrl")}/state`, { headers });
  return resultNumber(await response.json(), "now");
}

async function traderOf(call: Operate): Promise<readonly Trader[]> {
  const accountId = resultText(await call("/accounts", { size: 100_000 }), "accountId");
  const traders: Trader[] = [];
  while (traders.length < KEYS) {
    const key = await call("/keys", { accountId, scopes: SCOPES });
    traders.push({ accountId, keyId: resultText(key, "keyId"), secret: resultText(key, "secret") });
  }
  return traders;
}

/** Signs an operator in at each node. The sessions are in the database, so they outlive the processes. */
async function signedIn(
  baseUrls: readonly string[],
  call: Operate,
): Promise<readonly DashboardClient[]> {
  const person = await call("/people", { name: "Reader", role: "operator" });
  const link = await call(`/people/${resultText(person, "personId")}/link`, {});
  const token = resultText(link, "url").split("#")[1];
  const browsers = baseUrls.map((url) =>
    createDashboardClient({ port: Number(new URL(url).port) }),
  );
  const [first, ...others] = browsers;
  await first?.data("POST", "/link/use", { token, password: TEST_PASSWORD });
  for (const browser of others) {
    await browser.data("POST", "/sign-in", { name: "Reader", password: TEST_PASSWORD });
  }
  return browsers;
}

function dataOf(answer: unknown): unknown {
  return typeof answer === "object" && answer !== null && "data" in answer ? answer.data : null;
}
