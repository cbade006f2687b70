import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { RunningSandbox, SandboxSettings } from "../start/running-service.ts";
import { startSandbox } from "../start/start-sandbox.ts";
import { type ControlAnswer, createControlClient } from "../testing/control-client.ts";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";

/** 2026-01-05, a Monday, 12:00 UTC. */
const START = Date.UTC(2026, 0, 5, 12);
const OWN_PROGRAMS = new URL("../../../market/data/programs.json", import.meta.url);

const running = new Set<RunningSandbox>();
afterEach(async () => {
  for (const sandbox of running) await sandbox.stop();
  running.clear();
});

async function open(over: Partial<SandboxSettings> = {}) {
  const sandbox = await startSandbox({
    port: 0,
    startMs: START,
    seed: "7",
    clock: "frozen",
    dataDir: null,
    networkTimeoutMs: 15_000,
    operator: true,
    writeLog: () => undefined,
    ...over,
  });
  running.add(sandbox);
  const { controlUrl, controlToken, operatorUrl = "", operatorToken = "" } = sandbox.ready;
  const push = async (body: string, type = "application/x-ndjson"): Promise<ControlAnswer> => {
    const response = await fetch(`${controlUrl}/prices/v1/quotes`, {
      method: "POST",
      headers: { authorization: `Bearer ${controlToken}`, "content-type": type },
      body,
    });
    return { status: response.status, body: await response.json() };
  };
  const operator = async (
    method: "GET" | "POST",
    path: string,
    { key, body, type = "application/json", token = operatorToken }: OperatorRequest = {},
  ) => {
    const response = await fetch(`${operatorUrl}/operator/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": type,
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const isReplayed = response.headers.get("idempotent-replayed") === "true";
    return { status: response.status, isReplayed, text: await response.text() };
  };
  return { sandbox, control: createControlClient(sandbox), push, operator };
}

interface OperatorRequest {
  readonly key?: string;
  readonly body?: string;
  readonly type?: string;
  readonly token?: string;
}

function lines(...quotes: readonly object[]): string {
  return quotes.map((quote) => `${JSON.stringify(quote)}\n`).join("");
}

/** The path of a firm's programs, which sell neither `classic` nor an account of 100,000. */
async function firmPrograms(): Promise<string> {
  const [classic, pro] = JSON.parse(await readFile(OWN_PROGRAMS, "utf8")).programs;
  const size = { least: 5_000, most: 50_000 };
  const programs = [pro, { ...classic, id: "gold", version: 1, size }];
  const file = join(await makeTemporaryFolder(), "programs.json");
  await writeFile(file, JSON.stringify({ version: 1, programs }));
  return file;
}

describe("the sandbox of a firm [D8.sandbox]", () => {
  test("the first account has the firm's own program, at the size nearest to 100,000", async () => {
    const { sandbox, control, operator } = await open({ programs: await firmPrograms() });
    const { text } = await operator("GET", `/accounts/${sandbox.ready.accountId}`);
    expect(JSON.parse(text).data.account).toMatchObject({ programId: "gold", size: 50_000 });
    expect(await control("POST", "/accounts", { size: 5_000 })).toEqual({
      status: 400,
      body: { error: "program: must be one of gold" },
    });
    const wanted = { size: 5_000, program: "gold", ownerId: "firm-7", dailyLossPct: 3 };
    const { body } = await control("POST", "/accounts", wanted);
    const { accountId = "" } = body as Record<string, string>;
    const opened = await operator("GET", `/accounts/${accountId}`);
    expect(JSON.parse(opened.text).data.account).toMatchObject({
      programId: "gold",
      ownerId: "firm-7",
      dailyLossPct: 3,
    });
  });

  test("wrong tokens do not lock the operator out, although the clock stands still", async () => {
    const { operator } = await open();
    for (let count = 0; count < 12; count += 1) {
      const wrong = await operator("GET", "/health", { token: `wrong${count}` });
      expect([401, 429]).toContain(wrong.status);
    }
    expect((await operator("GET", "/health")).status).toBe(200);
  });

  test("a file without programs that are sold is refused at the start", async () => {
    const { programs } = JSON.parse(await readFile(OWN_PROGRAMS, "utf8"));
    const file = join(await makeTemporaryFolder(), "programs.json");
    await writeFile(file, JSON.stringify({ version: 1, programs: programs.slice(1) }));
    await expect(open({ programs: file })).rejects.toThrow(
      "the first account: is not offered: there is no classic program",
    );
  });

  test("a parameter and a field that a control call does not have are refused by their names", async () => {
    const { control } = await open();
    for (const [method, path, body, error] of [
      ["GET", "/state?verbose=1", undefined, "verbose: no such query parameter"],
      ["DELETE", "/keys/pk_1", { now: true }, "now: no such field"],
      ["POST", "/clock", { advance: 1, to: 2 }, "to: no such field"],
    ] as const) {
      expect(await control(method, path, body)).toEqual({ status: 400, body: { error } });
    }
  });
});

describe("pushed quotes of a sandbox [D8.sandbox]", () => {
  test("a quote counts at the sandbox's time, or at its own, and all effects are settled", async () => {
    const { control, push } = await open();
    const early = { tradePair: "BTCUSD", bid: 90_000, ask: 90_010, madeAtMs: START - 2_000 };
    const late = { tradePair: "BTCUSD", bid: 91_000, ask: 91_010, sequence: 4 };
    expect(await push(lines(early, late))).toEqual({
      status: 200,
      body: { taken: 2, rejected: {}, first: null, ignored: [] },
    });
    const quoted = async () => (await control("GET", "/state")).body;
    expect(await quoted()).toMatchObject({ quotes: [{ bid: 91_000, atMs: START }] });
    expect(
      (await push(JSON.stringify([{ ...late, bid: 90_500 }]), "application/json")).body,
    ).toEqual({
      taken: 0,
      rejected: { outOfSequence: 1 },
      first: {
        line: 1,
        reason: "outOfSequence",
        field: "sequence",
        message: "sequence must be above the pair's last one",
      },
      ignored: [],
    });
    expect(await quoted()).toMatchObject({ quotes: [{ bid: 91_000 }] });
  });

  test("a quote that the market rejects is named with the reason", async () => {
    const { control, push } = await open();
    const quote = { tradePair: "BTCUSD", bid: 90_000, ask: 90_010 };
    const times = [
      ["future", START + 60_000],
      ["late", START - 3_600_000],
    ] as const;
    for (const [reason, madeAtMs] of times) {
      expect((await push(lines({ ...quote, madeAtMs }))).body).toMatchObject({
        taken: 1,
        ignored: [{ pair: "BTCUSD", reason }],
      });
    }
    expect((await control("GET", "/state")).body).toMatchObject({ quotes: [] });
  });

  test("a wrong quote and a body of another type are rejected as by the listener for pushed prices", async () => {
    const { push } = await open();
    for (const [reason, quote] of [
      ["unknownField", { tradePair: "BTCUSD", bid: 1, ask: 2, more: 3 }],
      ["unknownPair", { tradePair: "XXX", bid: 1, ask: 2 }],
    ] as const) {
      const rejected = { [reason]: 1 };
      expect(await push(lines(quote))).toMatchObject({ status: 400, body: { rejected } });
    }
    expect(await push("tradePair=BTCUSD", "text/plain")).toEqual({
      status: 415,
      body: { error: "Content-Type must be application/json or application/x-ndjson" },
    });
  });
});

describe("answers of the operator's interface that a sandbox loses [D12.repeatedWrites]", () => {
  const account = JSON.stringify({ size: 5_000, ownerId: "lost" });

  test.each([
    ["acceptThenDrop", 1, true],
    ["drop", 0, false],
  ] as const)(
    "%s: %i account is open after the 503, and the key tells which",
    async (fault, count, isReplayed) => {
      const { control, operator } = await open();
      const accounts = async () =>
        JSON.parse((await operator("GET", "/accounts?ownerId=lost")).text).data.total;
      await control("POST", "/faults", { operator: fault });
      // A read does not use up the fault, which is for the next write.
      expect(await accounts()).toBe(0);
      const write = () => operator("POST", "/accounts", { key: "sale-1", body: account });
      const lost = await write();
      expect([lost.status, JSON.parse(lost.text).code]).toEqual([503, "unknown_fate"]);
      expect(await accounts()).toBe(count);
      expect(await write()).toMatchObject({ status: 200, isReplayed });
      expect(await accounts()).toBe(1);
      expect((await control("GET", "/state")).body).toMatchObject({ faults: { operator: "ok" } });
    },
  );

  test("the rows of a bulk are carried out although its answer is lost", async () => {
    const { control, operator } = await open();
    await control("POST", "/faults", { operator: "acceptThenDrop" });
    const body = `${account}\n${account}\n`;
    const write = () =>
      operator("POST", "/accounts/bulk", { key: "b", body, type: "application/x-ndjson" });
    expect((await write()).status).toBe(503);
    expect(await write()).toMatchObject({ status: 200, isReplayed: true });
    const { text } = await operator("GET", "/accounts?ownerId=lost");
    expect(JSON.parse(text).data.total).toBe(2);
  });
});
