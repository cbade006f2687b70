import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient, resultOf } from "@propgate/sdk";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { type BackgroundCli, startCli, startCliHere } from "../testing/background-cli.ts";
import { runCli, withoutPropgateVariables } from "../testing/run-cli.ts";

interface FirstKey {
  readonly keyId: string;
  readonly secret: string;
}

interface Summary {
  readonly baseUrl: string;
  readonly prices: string;
  readonly operatorUrl: string;
  readonly accountId: string;
  readonly firstKey: FirstKey | null;
  readonly firstLinks: readonly { readonly name: string; readonly url: string }[];
}

let folder = "";
/** The data folder of every test that needs no first start; its account has a position in BTCUSD. */
let data = "";
let traded: { readonly key: FirstKey; readonly accountId: string; readonly orderUuid: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "propgate-serve-"));
  data = join(folder, "data");
  const [first, { baseUrl, firstKey, accountId }] = await serveJson("--data", data);
  if (firstKey === null) throw new Error("no first key");
  const trade = {
    execution_type: "MARKET",
    trade_pair: "BTCUSD",
    order_type: "LONG",
    value: 500,
  } as const;
  const placed = resultOf(await createClient({ baseUrl, ...firstKey }).placeOrder({ trade }));
  expect(await first.stop()).toBe(0);
  traded = { key: firstKey, accountId, orderUuid: placed.order_uuid };
  return () => rm(folder, { recursive: true });
});

const PRINTED = "Ctrl-C stops it.";
const JSON_OF = ["serve", "--json", "--show-secrets", "--port", "0"] as const;

/** Starts `serve` in a process of its own, which signals reach and which writes to real streams. */
function serve(...given: readonly string[]): Promise<BackgroundCli> {
  const command = ["serve", "--port", "0", "--show-secrets", ...given];
  return startCli(command, { until: PRINTED });
}

async function serveJson(...given: readonly string[]): Promise<[BackgroundCli, Summary]> {
  const running = await startCliHere([...JSON_OF, ...given]);
  return [running, JSON.parse(running.firstLine) as Summary];
}

/** The lines from the first one that begins with `from` to the next empty line. */
function block(text: string, from: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith(from));
  return lines.slice(start, lines.indexOf("", start)).join("\n");
}

const shell = (script: string): Promise<{ readonly stdout: string }> =>
  promisify(execFile)("sh", ["-c", script], { env: withoutPropgateVariables(process.env) });

describe("propgate serve", () => {
  test("propgate serve prints a first key once, and an example that answers when it is pasted", async () => {
    const data = join(folder, "first");
    const running = await serve("--data", data);
    const { stdout } = running.said();
    expect(stdout).toMatch(/\n {2}owner {5}http:\/\/127\.0\.0\.1:\d+\/link#[\w-]{43}\n/);
    const paste = block(stdout, "export PROPGATE_KEY_ID=");
    const read = JSON.parse((await shell(paste)).stdout) as { success: boolean; data: object };
    expect(read.success).toBe(true);
    expect(read.data).toMatchObject({ accountSize: 100_000 });
    const order = block(stdout, "sh examples/curl/propgate-curl.sh");
    const settings = paste.split("\n").filter((line) => line.startsWith("export "));
    const placed = JSON.parse((await shell([...settings, order].join("\n"))).stdout) as object;
    expect(placed).toMatchObject({ success: true, data: { order: { filled: true } } });
    expect(await running.stop()).toBe(0);

    const secret = /PROPGATE_SECRET=(propgate_sk_\S{49})/.exec(stdout)?.[1] ?? "";
    const again = await serve("--data", data);
    expect(secret).not.toBe("");
    expect(again.said().stdout).not.toContain(secret);
    expect(again.said().stdout).not.toContain("/link#");
    expect(again.said().stdout).toContain("operator keys create --account");
    expect(await again.stop("SIGINT")).toBe(0);
  });

  test("what was traded is there after a restart, and the journal proves it", async () => {
    const { key, accountId, orderUuid } = traded;
    const offline = ["--offline", "--data", data, "--account", accountId, "--json"];
    const proof = await runCli(["journal", "verify", ...offline]);
    expect([proof.code, JSON.parse(proof.stdout)]).toMatchObject([0, { accounts: 1, broken: [] }]);
    const rebuilt = await runCli(["journal", "rebuild", ...offline]);
    expect([rebuilt.code, JSON.parse(rebuilt.stdout)]).toEqual([
      0,
      { accounts: 1, different: [], written: 0 },
    ]);
    const [second, summary] = await serveJson("--data", data);
    expect(summary).toMatchObject({ accountId, firstKey: null });
    const again = createClient({ baseUrl: summary.baseUrl, ...key });
    const [position] = await again.positions();
    expect(position?.positionUuid).toBe(orderUuid);
    expect(await second.stop()).toBe(0);
  });

  test("the first people's links are shown once, and each gives a password", async () => {
    const data = join(folder, "people");
    const [running, summary] = await serveJson("--data", data);
    const { baseUrl, firstLinks } = summary;
    expect(firstLinks).toEqual([
      { name: "owner", role: "owner", url: expect.stringMatching(/\/link#[\w-]{43}$/) },
      { name: "operator", role: "operator", url: expect.stringMatching(/\/link#[\w-]{43}$/) },
    ]);
    const use = async ({ url }: { readonly url: string }): Promise<unknown> => {
      expect(url.startsWith(`${baseUrl}/link#`)).toBe(true);
      const response = await fetch(`${baseUrl}/dashboard/v1/link/use`, {
        method: "POST",
        headers: { Origin: baseUrl },
        body: JSON.stringify({ token: url.split("#")[1], password: "long enough by far" }),
      });
      return response.json();
    };
    const [owner, operator] = firstLinks;
    if (owner === undefined || operator === undefined) throw new Error("a link is missing");
    expect(await use(owner)).toMatchObject({ data: { person: { name: "owner", role: "owner" } } });
    expect(await running.stop()).toBe(0);
    const [again, later] = await serveJson("--data", data, "--public-url", "https://t.example");
    expect(later.firstLinks).toEqual([]);
    const link = await runCli([
      ...["operator", "people", "link", "Operator"],
      ...["--url", later.baseUrl, "--data", data],
    ]);
    expect(link.stdout).toMatch(/ {2}https:\/\/t\.example\/link#[\w-]{43}\n$/);
    expect(await again.stop()).toBe(0);
  });

  test("a first start whose output is no terminal writes what it made to a file of its user", async () => {
    const data = join(folder, "unseen");
    const given = ["serve", "--port", "0", "--data", data];
    const running = await startCliHere(given, { until: PRINTED });
    const { stdout, stderr } = running.said();
    expect(`${stdout}${stderr}`).not.toMatch(/sk_[\w-]{43}|link#/);
    const file = join(data, "first-start.txt");
    expect(stdout).toContain(`\n  ${file}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const kept = await readFile(file, "utf8");
    expect(kept.match(/\/link#[\w-]{43}\n/g)?.length).toBe(2);
    const read = JSON.parse((await shell(block(kept, "export PROPGATE_KEY_ID="))).stdout) as object;
    expect(read).toMatchObject({ success: true, data: { accountSize: 100_000 } });
    expect(await running.stop()).toBe(0);
    const again = await startCliHere([...given, "--json"]);
    expect(JSON.parse(again.firstLine)).toMatchObject({ firstKey: null, firstStartFile: null });
    expect(await readFile(file, "utf8")).toBe(kept);
    expect(await again.stop()).toBe(0);
  });

  test("the operator's interface has a listener of its own where one is named", async () => {
    const [running, summary] = await serveJson("--data", data, "--operator-listen", "[::1]:0");
    const { operatorUrl, baseUrl } = summary;
    expect(operatorUrl).toMatch(/^http:\/\/\[::1\]:\d+$/);
    const url = ["--url", operatorUrl];
    const listed = await runCli(["operator", "accounts", "list", ...url, "--data", data]);
    expect(listed.code).toBe(0);
    expect((await fetch(`${baseUrl}/operator/v1/accounts`)).status).toBe(404);
    expect(await running.stop()).toBe(0);
    await expect(fetch(operatorUrl)).rejects.toThrow("fetch failed");
  });

  test("the operator's token is in a file that only its owner can read", async () => {
    const [running, { baseUrl }] = await serveJson("--data", data);
    const file = join(data, "operator.token");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const listed = await runCli(["operator", "accounts", "list", "--url", baseUrl, "--data", data]);
    expect(listed.code).toBe(0);
    expect(running.said().stdout).not.toContain((await readFile(file, "utf8")).trim());
    expect(await running.stop()).toBe(0);
  });

  test("a bad row far into a replay file is logged once, when it is read", async () => {
    const file = join(folder, "BTCUSD-late-fault.csv");
    const startMs = Date.UTC(2026, 0, 5, 12);
    // The bad row is beyond the first chunk that is read of the file.
    const rows = Array.from({ length: 5_010 }, (_, second) => {
      const [bid, ask] = second === 5_000 || second === 5_002 ? [101, 100] : [100, 101];
      return `${startMs + second * 1000},${bid},${ask}`;
    });
    await writeFile(file, `timeMs,bid,ask\n${rows.join("\n")}\n`);
    const given = ["--replay", `BTCUSD=${file}`, "--replay-speed", "20000"];
    const [running] = await serveJson("--data", data, ...given);
    const logged = (): number =>
      running.said().stderr.split("rows with a bid above the ask skipped").length - 1;
    await eventually(() => {
      expect(logged()).toBe(1);
    });
    expect(running.said().stderr).toContain(`${file}:5002`);
    expect(await running.stop()).toBe(0);
    expect(logged()).toBe(1);
    expect(running.said().stdout).toBe(`${running.firstLine}\n`);
  });

  test("propgate serve --json prints the ready line alone on standard output, and the log on standard error", async () => {
    const data = join(folder, "quiet");
    const logged = ["--log-level", "trace", "--prices", "oanda"];
    const running = await startCli([...JSON_OF, "--data", data, ...logged]);
    expect(await running.stop()).toBe(0);
    const { stdout, stderr } = running.said();
    expect(stdout).toBe(`${running.firstLine}\n`);
    expect(JSON.parse(stdout)).toMatchObject({ prices: expect.any(String) });
    expect(stderr.split("\n").filter((line) => line.includes('"level":'))).not.toEqual([]);
  });
});

describe("a service that cannot start says why and what to do", () => {
  test("a service whose port is taken does not start: 5", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const { code, stderr } = await runCli(["serve", "--port", port, "--data", data]);
    expect(code).toBe(5);
    expect(stderr).toContain("--port");
    expect(stderr).not.toContain("    at ");
  });

  test("a service whose operator's listener is taken does not start: 5", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const listen = typeof address === "object" ? `127.0.0.1:${address?.port}` : "";
    const given = ["--data", data, "--operator-listen", listen];
    const { code, stderr } = await runCli(["serve", "--port", "0", ...given]);
    expect(code).toBe(5);
    expect(stderr).toContain("PROPGATE_OPERATOR_LISTEN");
    expect(stderr).not.toContain("    at ");
  });

  test("a service whose data folder is in use does not start: 5", async () => {
    const running = await startCli([...JSON_OF, "--data", data]);
    const second = await runCli(["serve", "--port", "0", "--data", data]);
    expect(second.code).toBe(5);
    expect(second.stderr).toContain(data);
    expect(second.stderr).not.toContain("    at ");
    const journal = await runCli(["journal", "verify", "--offline", "--data", data]);
    expect(journal.code).toBe(5);
    expect(await running.stop()).toBe(0);
  });

  test("a replay file that does not exist or has no prices ends with 5 and makes no data folder", async () => {
    const missing = ["--replay", "/nowhere/BTCUSD.csv"];
    const none = await runCli(["serve", "--port", "0", "--data", data, ...missing]);
    expect(none.code).toBe(5);
    expect(none.stderr).toContain("/nowhere/BTCUSD.csv");
    const garbage = join(folder, "BTCUSD-garbage.csv");
    await writeFile(garbage, "hello\nworld\n");
    const given = ["--replay", `BTCUSD=${garbage}`];
    const bad = await runCli(["serve", "--port", "0", "--data", data, ...given]);
    expect(bad.code).toBe(5);
    expect(bad.stderr).toContain(garbage);
    expect(bad.stderr).not.toContain("    at ");
    const folders = await readdir(folder);
    expect([folders.includes("none"), folders.includes("bad")]).toEqual([false, false]);
  });

  test("a service whose catalogue changes what a lot of a held pair is does not start: 2, with the pair and the accounts [D13.startCompares]", async () => {
    const own = join(import.meta.dirname, "../../../market/data/catalogue.json");
    const catalogue = await readFile(own, "utf8");
    const file = join(folder, "other.json");
    const start = async (text: string): Promise<readonly [number | null, string]> => {
      await writeFile(file, text);
      const env = { PROPGATE_CATALOGUE: file };
      const { code, stderr } = await runCli(["serve", "--port", "0", "--data", data], { env });
      return [code, stderr];
    };
    const changed = catalogue.replace('"id": "BTCUSD",', '"id": "BTCUSD", "lotSize": 10,');
    const [code, stderr] = await start(changed);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("BTCUSD: lotSize was 1 and is 10 (1 account)"),
    ]);
    const gone = catalogue.replace('"id": "BTCUSD",', '"id": "XBTUSD",');
    expect(await start(gone)).toEqual([
      2,
      expect.stringContaining("BTCUSD: is not in the catalogue (1 account)"),
    ]);
  });

  test("a service whose prices came from live sources does not start when the settings do not name them now: 2 [D13.priceOrigin]", async () => {
    const data = join(folder, "live");
    const [live] = await serveJson("--data", data, "--prices", "oanda");
    expect(await live.stop()).toBe(0);
    const { code, stderr } = await runCli(["serve", "--port", "0", "--data", data]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--prices simulated")]);
    const [simulated, { prices }] = await serveJson("--data", data, "--prices", "simulated");
    expect(await simulated.stop()).toBe(0);
    expect(prices).toBe("simulated");
  });

  test.each([
    [["--port", "70000"], {}, "--port must be a whole number from 0 to 65535"],
    [["--speed", "fast"], {}, "--speed must be a number above 0"],
    [["--operator-listen", "8788"], {}, "--operator-listen must be host:port or [IPv6]:port"],
    [["--database-url", "postgres://u:x1y2@h/d"], {}, "Set PROPGATE_DATABASE_URL instead."],
    [["--database-url", "postgres://u@h/d?password=x1y2"], {}, "Set PROPGATE_DATABASE_URL"],
    [["--rebase", "then"], {}, "--rebase must be now or own"],
    [["--prot", "1"], {}, "Did you mean --port?"],
    [[], { PROPGATE_PORT: "x" }, "PROPGATE_PORT must be a whole number"],
    [[], { PROPGATE_MASTER_KEY: "short" }, "PROPGATE_MASTER_KEY must be 32 bytes in base64"],
  ])("serve %j with %j: 2, and it is named", async (given, env, words) => {
    const { code, stdout, stderr } = await runCli(["serve", ...given], { env });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
  });
});
