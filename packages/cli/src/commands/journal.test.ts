import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CHAIN_START, chainHash, type JournalRow } from "../../../core/src/journal/chain.ts";
import { sha256 } from "../../../ledger/src/storage/journal/line-hash.ts";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../../server/src/testing/harness.ts";
import { runCli } from "../testing/run-cli.ts";

const ORDER = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 1 };

/** The file of an export with changed lines, and with hashes that fit the changed lines. */
function forged(text: string, change: (line: JournalRow) => Partial<JournalRow>): string {
  const [head = "{}", ...rest] = text.trimEnd().split("\n");
  const { format, accountId } = JSON.parse(head);
  let [before, version] = [CHAIN_START, 0];
  const lines = rest.map((written) => {
    const line = JSON.parse(written);
    if ("catalogue" in line) return written;
    const other = { ...line, ...change(line) };
    before = chainHash(sha256, before, { ...other, accountId });
    version += 1;
    return JSON.stringify({ ...other, hash: Buffer.from(before).toString("hex") });
  });
  const first = { format, accountId, version, headHash: Buffer.from(before).toString("hex") };
  return [JSON.stringify(first), ...lines, ""].join("\n");
}

describe("propgate journal export and propgate rejudge", () => {
  let service: Harness;
  let folder = "";
  let file = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-journal-"));
    file = join(folder, "journal.jsonl");
    service = await openHarness();
    await service.quote("BTCUSD", 50_000, 50_000);
    await service.order(ORDER);
    expect((await exported(service.accountId, file)).code).toBe(0);
    return async () => {
      await service.close();
      await rm(folder, { recursive: true });
    };
  });

  const exported = (account: string, out: string, url = `http://127.0.0.1:${service.port}`) =>
    runCli(["journal", "export", account, "--out", out, "--url", url], {
      env: { PROPGATE_OPERATOR_TOKEN: OPERATOR_TOKEN },
    });
  const rejudge = (name: string) => runCli(["rejudge", name, "--json"]);
  const edited = async (name: string, edit: (text: string) => string): Promise<string> => {
    const out = join(folder, name);
    await writeFile(out, edit(await readFile(file, "utf8")));
    return out;
  };

  test("propgate journal export writes the file of a running service, whose decisions are judged", async () => {
    const out = join(folder, "written.jsonl");
    const written = await exported(service.accountId, out);
    expect([written.code, written.stderr]).toEqual([0, ""]);
    expect(written.stdout).toContain(`To judge it: propgate rejudge ${out}`);
    const judged = await rejudge(out);
    expect([judged.code, JSON.parse(judged.stdout)]).toEqual([
      0,
      { lines: 2, judged: 2, observed: 0, otherVersions: [], different: null },
    ]);
    const again = await exported(service.accountId, out);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("already exists")]);
  });

  test("a folder without an account was not verified: propgate journal verify says so and ends with 1", async () => {
    const data = await mkdtemp(join(folder, "nothing-"));
    for (const form of [[], ["--json"]]) {
      const empty = await runCli(["journal", "verify", "--offline", "--data", data, ...form]);
      expect([empty.code, empty.stderr]).toEqual([1, ""]);
      if (form.length === 0) expect(empty.stdout).toContain("Nothing was checked");
      expect(empty.stdout).not.toContain("No line was altered");
    }
  });

  test("an unknown account ends with 1 and writes nothing", async () => {
    const empty = await mkdtemp(join(folder, "empty-"));
    const unknown = await exported("00000000-0000-4000-8000-000000000000", join(empty, "no"));
    expect([unknown.code, unknown.stderr]).toEqual([1, "propgate: Account not found\n"]);
    expect(await readdir(empty)).toEqual([]);
  });

  test("a connection that is cut ends with 3 and leaves no file", async () => {
    const text = await readFile(file, "utf8");
    const cutting = createServer((_request, response) => {
      response.writeHead(200, { "Content-Type": "application/x-ndjson" });
      response.write(text.slice(0, -100), () => response.destroy());
    });
    onTestFinished(() => void cutting.close());
    await once(cutting.listen(0, "127.0.0.1"), "listening");
    const { port } = cutting.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const empty = await mkdtemp(join(folder, "empty-"));
    const cut = await exported(service.accountId, join(empty, "cut"), url);
    expect([cut.code, cut.stderr]).toEqual([3, expect.stringContaining("during its answer")]);
    expect(await readdir(empty)).toEqual([]);
  });

  const observed = { type: "orderFilled", observed: true, dueMs: null, data: {} };
  test.each<readonly [string, (line: JournalRow) => Partial<JournalRow>]>([
    ["inputs", () => ({ inputs: null })],
    ["event", () => ({ event: "{}" })],
    ["command", () => ({ command: "settlePrices" })],
    ["origin", () => ({ origin: "market" })],
    ["keyId", () => ({ keyId: "pk_00000000000000000000" })],
    ["nonce", () => ({ nonce: "another" })],
    ["atMs", ({ atMs }) => ({ atMs: atMs + 1 })],
    [
      "events and inputs, as if a validator had been read",
      () => ({ event: JSON.stringify(observed), inputs: null }),
    ],
  ])(
    "a file with other %s is never judged as honest, also with a chain of its own",
    async (name, other) => {
      const honest = await rejudge(await edited("chained", (text) => forged(text, () => ({}))));
      expect([honest.code, JSON.parse(honest.stdout)]).toMatchObject([0, { judged: 2 }]);
      const lie = await edited(`lie-${name.length}`, (text) => forged(text, other));
      expect([name, (await rejudge(lie)).code]).toEqual([name, 1]);
    },
  );

  test("a file without its last line is judged as missing it", async () => {
    const short = await edited("short", (text) => text.replace(/\n[^\n]+\n$/, "\n"));
    const { code, stdout } = await rejudge(short);
    expect([code, JSON.parse(stdout).different]).toMatchObject([
      1,
      { seq: 2, why: "the line is missing" },
    ]);
  });

  test("a line behind the last one is named", async () => {
    const long = await edited("long", (text) => `${text}${text.split("\n").at(-2)}\n`);
    expect(JSON.parse((await rejudge(long)).stdout).different).toMatchObject({
      seq: 3,
      why: "the account ends before this line",
    });
  });

  test("a file whose lines end with a carriage return, the last one with nothing, is judged like the original", async () => {
    const other = await edited("crlf", (text) => text.trimEnd().replaceAll("\n", "\r\n"));
    const { code, stdout } = await rejudge(other);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { judged: 2, different: null }]);
  });

  test("a line separator of Unicode ends no line of a journal's file", async () => {
    const other = await edited("separated", (text) => text.replace(/\n([^\n]+\n)$/, "\u2028$1"));
    expect((await rejudge(other)).code).not.toBe(0);
  });

  test("a line of more than 4 MiB is refused with its number", async () => {
    const endless = await edited("endless", (text) => `${text}${"x".repeat(4 * 1024 * 1024 + 1)}`);
    const { code, stderr } = await rejudge(endless);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/line \d+: a line has more than/)]);
  });

  test("a catalogue that is not in the file is named by its hash", async () => {
    const bare = await edited("bare", (text) => text.replace(/\n\{"catalogue"[^\n]+/, ""));
    const { stdout } = await runCli(["rejudge", bare]);
    expect(stdout).toMatch(
      /Line 1 is the first that differs: the catalogue \S{16} of its inputs is missing\.\n/,
    );
  });

  test("a file of another kind is a usage error", async () => {
    const other = join(folder, "other");
    await writeFile(other, "[]\n");
    expect((await rejudge(other)).code).toBe(2);
    const head = { format: 1, accountId: service.accountId, version: 1, headHash: "00" };
    const line = { seq: 1, atMs: 1, origin: "clock", keyId: null, nonce: null };
    const hostile: readonly unknown[] = [
      { ...head, version: 1e308 },
      { ...head, version: "1" },
      { ...head, accountId: 5 },
      { ...head, headHash: null },
      { ...head, version: 0, headHash: "0".repeat(64) },
    ];
    for (const first of hostile) {
      await writeFile(other, `${JSON.stringify(first)}\n`);
      expect((await rejudge(other)).code).toBe(2);
    }
    for (const next of [
      null,
      [1],
      { catalogue: 5, body: 7 },
      { ...line, command: 5, event: 9, inputs: 3, hash: [1] },
    ]) {
      await writeFile(other, `${JSON.stringify(head)}\n${JSON.stringify(next)}\n`);
      expect((await rejudge(other)).code).toBe(2);
    }
    const torn = await rejudge(await edited("torn", (text) => `${text}{torn`));
    expect([torn.code, torn.stderr]).toEqual([2, expect.stringContaining("is not the file of")]);
    expect((await rejudge(join(folder, "nothing"))).code).toBe(2);
  });
});
