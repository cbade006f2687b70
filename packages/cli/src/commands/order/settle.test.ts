import { createServer, type RequestListener } from "node:http";
import { createServer as createPlainServer } from "node:net";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { runCommandLine } from "../../program.ts";
import { type CliSandbox, openCliSandbox } from "../../testing/cli-sandbox.ts";
import { createPersonTerminal } from "../../testing/person-terminal.ts";

let sandbox: CliSandbox;

beforeAll(async () => {
  sandbox = await openCliSandbox();
  return () => sandbox.close();
});
// The sandbox's clock runs, and a quote is stale after a minute, so each test begins with a fresh one.
beforeEach(async () => {
  await sandbox.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
});

const LIMIT = ["order", "limit", "BTCUSD", "long", "--price", "45000", "--quantity", "0.1"];

function portOf(address: unknown): number {
  if (typeof address !== "object" || address === null || !("port" in address)) return 0;
  return Number(address.port);
}

/** A service that accepts connections and never answers. `onRequest` is called with the first bytes of a connection. */
async function silentService(onRequest: () => void = () => {}): Promise<string> {
  const server = createPlainServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", onRequest);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${portOf(server.address())}`;
}

/** A proxy that passes orders on to the sandbox, and drops each answer. */
async function lossyProxy(): Promise<{ url: string; passedOn: Promise<void> }> {
  const { promise: passedOn, resolve: noteAnswer } = Promise.withResolvers<void>();
  const listener: RequestListener = (request) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method !== "POST") return;
      const headers = Object.entries(request.headers).filter(([name]) => name.startsWith("x-"));
      void fetch(`${sandbox.baseUrl}${request.url ?? ""}`, {
        method: "POST",
        headers: {
          ...Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
          "Content-Type": "application/json",
        },
        body: Buffer.concat(chunks),
      }).then(() => noteAnswer());
    });
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${portOf(server.address())}`, passedOn };
}

const SHORTLY = ["--yes", "--settle-timeout", "1"];

describe("an order that gets no answer [D10.settleDeadline]", () => {
  test("an order that gets no answer ends with 6 in time, its nonce and the command that settles it", async () => {
    const url = await silentService();
    const { code, stdout, stderr } = await sandbox.run(...LIMIT, ...SHORTLY, "--url", url);
    expect(code).toBe(6);
    const [, nonce = ""] = /^nonce {2}(\S+)$/m.exec(stdout) ?? [];
    expect(stdout).toMatch(/^unknown: /);
    expect(stdout).toContain(`\n  npm run propgate -- settle ${nonce}\n`);
    const [problem = "", ...fix] = stderr.trimEnd().split("\n");
    expect(problem).toContain("the order's fate is unknown");
    expect(fix.at(-1)).toBe(`  npm run propgate -- settle ${nonce}`);
  });

  test("an order that gets no answer says so as one line of JSON each on standard output and standard error", async () => {
    const url = await silentService();
    const given = [...LIMIT, ...SHORTLY, "--url", url, "--json"];
    const { code, stdout, stderr } = await sandbox.run(...given);
    expect(code).toBe(6);
    const { fate, nonce } = JSON.parse(stdout) as { fate: string; nonce: string };
    expect(fate).toBe("unknown");
    expect(JSON.parse(stderr).fix).toContain(`settle ${nonce}`);
  });

  test("an order that gets no answer shows at a terminal how long it asks, and Ctrl-C gives the nonce back", async () => {
    const url = await silentService(() => person.stop());
    const person = createPersonTerminal({ env: { ...sandbox.env, PROPGATE_BASE_URL: url } });
    const given = [...LIMIT, "--yes", "--settle-timeout", "60"];
    expect(await runCommandLine(given, person.terminal)).toBe(6);
    expect(person.said().error).toContain("sending the order, 60 s at most");
    expect(person.said().out).toMatch(/^nonce {2}\S+$/m);
    expect(person.said().error).toContain("settle ");
  });
});

describe("propgate settle", () => {
  test("propgate settle finds an order whose answer was lost: 0", async () => {
    const { url, passedOn } = await lossyProxy();
    const lost = await sandbox.run(...LIMIT, ...SHORTLY, "--url", url, "--json");
    expect(lost.code).toBe(6);
    const { nonce } = JSON.parse(lost.stdout) as { nonce: string };
    await passedOn;
    const settled = await sandbox.run("settle", nonce);
    expect(settled.code).toBe(0);
    expect(settled.stdout).toMatch(/^accepted\nid +\S{36}\norder +LIMIT LONG BTC\/USD\n/);
    const again = (await sandbox.json("settle", nonce)) as Record<string, unknown>;
    expect(again).toMatchObject({ fate: "accepted", nonce, result: { success: true } });
    await sandbox.json("order", "cancel", "--all", "--yes");
  });

  test("propgate settle withdraws an order that has not arrived: 1", async () => {
    const nonce = "0123456789abcdef0123456789abcdef";
    const { code, stdout } = await sandbox.run("settle", nonce);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^rejected: /);
    expect(stdout).toContain("Nothing was changed.");
  });

  test("propgate settle stays unknown where the service does not answer: 6", async () => {
    const url = await silentService();
    const nonce = "1123456789abcdef0123456789abcdef";
    const given = ["settle", nonce, "--settle-timeout", "1", "--url", url];
    const { code, stdout } = await sandbox.run(...given);
    expect(code).toBe(6);
    expect(stdout).toContain(`settle ${nonce}`);
  });

  test.each([
    [["settle"], "missing required argument 'nonce'"],
    [["settle", "é"], "this is not a nonce"],
    [["settle", "0123456789abcdef", "--settle-timeout", "0"], "--settle-timeout must be"],
    [[...LIMIT, "--yes", "--settle-timeout", "2h"], "--settle-timeout must be"],
  ])("%j is rejected before anything is sent, with exit code 2", async (given, words) => {
    const { code, stdout, stderr } = await sandbox.run(...given);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
  });

  test("the help of propgate settle has an example", async () => {
    const { stdout } = await sandbox.run("settle", "--help");
    expect(stdout).toMatch(/^Example: propgate settle [0-9a-f]{32}$/m);
    expect(stdout).toMatch(/Exit\s+code 0: accepted; 1: /);
  });
});

describe("a service with another clock [D10.clockLearned]", () => {
  test("a service with another clock accepts the first order of a process", async () => {
    const early = await openCliSandbox(Date.parse("2026-01-05T12:00:00Z"));
    onTestFinished(() => early.close());
    await early.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
    const { code, stdout } = await early.run(...LIMIT, "--yes");
    expect(stdout).toMatch(/^accepted\n/);
    expect(code).toBe(0);
  });
});
