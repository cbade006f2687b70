import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient, resultOf } from "@propgate/sdk";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type BackgroundCli, startCli } from "../testing/background-cli.ts";
import { runCli, withoutOurs } from "../testing/run-cli.ts";

interface Summary {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly firstKey: { readonly keyId: string; readonly secret: string } | null;
  readonly firstLinks: readonly { readonly name: string; readonly url: string }[];
}

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "propgate-serve-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function serve(...given: readonly string[]): Promise<BackgroundCli> {
  const running = await startCli(["serve", "--port", "0", ...given], { until: "Ctrl-C stops it." });
  onTestFinished(async () => void (await running.stop("SIGKILL")));
  return running;
}

async function serveJson(...given: readonly string[]): Promise<[BackgroundCli, Summary]> {
  const running = await startCli(["serve", "--json", "--port", "0", ...given]);
  onTestFinished(async () => void (await running.stop("SIGKILL")));
  return [running, JSON.parse(running.firstLine) as Summary];
}

/** What stands between the first line that begins with `from` and the next empty line. */
function block(text: string, from: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith(from));
  return lines.slice(start, lines.indexOf("", start)).join("\n");
}

const shell = (script: string): Promise<{ readonly stdout: string }> =>
  promisify(execFile)("sh", ["-c", script], { env: withoutOurs(process.env) });

describe("propgate serve", () => {
  test("prints a first key once, and an example that answers when it is pasted", async () => {
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

    const secret = /PROPGATE_SECRET=(sk_\S{43})/.exec(stdout)?.[1] ?? "";
    const again = await serve("--data", data);
    expect(secret).not.toBe("");
    expect(again.said().stdout).not.toContain(secret);
    expect(again.said().stdout).not.toContain("/link#");
    expect(again.said().stdout).toContain("operator key create --account");
    expect(await again.stop("SIGINT")).toBe(0);
  });

  test("what was traded is there after a restart, and the journal proves it", async () => {
    const data = join(folder, "restart");
    const [first, { baseUrl, firstKey, accountId }] = await serveJson("--data", data);
    if (firstKey === null) throw new Error("no first key");
    const trade = {
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      value: 500,
    } as const;
    const client = createClient({ baseUrl, ...firstKey });
    const placed = resultOf(await client.placeOrder({ trade }));
    expect(await first.stop()).toBe(0);
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
    const again = createClient({ baseUrl: summary.baseUrl, ...firstKey });
    const [position] = await again.positions();
    expect(position?.positionUuid).toBe(placed.order_uuid);
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
      ...["operator", "person", "link", "Operator"],
      ...["--url", later.baseUrl, "--data", data],
    ]);
    expect(link.stdout).toMatch(/ {2}https:\/\/t\.example\/link#[\w-]{43}\n$/);
    expect(await again.stop()).toBe(0);
  });

  test("the operator's token is in a file that only its owner can read", async () => {
    const data = join(folder, "token");
    const [running, { baseUrl }] = await serveJson("--data", data);
    const file = join(data, "operator.token");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const listed = await runCli(["operator", "account", "list", "--url", baseUrl, "--data", data]);
    expect(listed.code).toBe(0);
    expect(running.said().stdout).not.toContain((await readFile(file, "utf8")).trim());
    expect(await running.stop()).toBe(0);
  });
});

describe("a service that cannot start says why and what to do", () => {
  test("its port is taken: 5", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const { code, stderr } = await runCli([
      "serve",
      "--port",
      port,
      "--data",
      join(folder, "port"),
    ]);
    expect(code).toBe(5);
    expect(stderr).toContain("--port");
    expect(stderr).not.toContain("    at ");
  });

  test("its data folder is in use: 5", async () => {
    const data = join(folder, "used");
    const [running] = await serveJson("--data", data);
    const second = await runCli(["serve", "--port", "0", "--data", data]);
    expect(second.code).toBe(5);
    expect(second.stderr).toContain(data);
    expect(second.stderr).not.toContain("    at ");
    const journal = await runCli(["journal", "verify", "--offline", "--data", data]);
    expect(journal.code).toBe(5);
    expect(await running.stop()).toBe(0);
  });

  test("a replay file that is not there or holds no prices: 5", async () => {
    const missing = ["--replay", "/nowhere/BTCUSD.csv"];
    const none = await runCli(["serve", "--port", "0", "--data", join(folder, "none"), ...missing]);
    expect(none.code).toBe(5);
    expect(none.stderr).toContain("/nowhere/BTCUSD.csv");
    const garbage = join(folder, "BTCUSD-garbage.csv");
    await writeFile(garbage, "hello\nworld\n");
    const given = ["--replay", `BTCUSD=${garbage}`];
    const bad = await runCli(["serve", "--port", "0", "--data", join(folder, "bad"), ...given]);
    expect(bad.code).toBe(5);
    expect(bad.stderr).toContain(garbage);
    expect(bad.stderr).not.toContain("    at ");
  });

  test.each([
    [["--port", "70000"], {}, "--port must be a whole number from 0 to 65535"],
    [["--speed", "fast"], {}, "--speed must be a number above 0"],
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
