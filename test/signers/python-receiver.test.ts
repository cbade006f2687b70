import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../packages/base/src/clock.ts";
import { type CliSandbox, openCliSandbox } from "../../packages/cli/src/testing/cli-sandbox.ts";
import { startSandbox } from "../../packages/server/src/start/start-sandbox.ts";
import { createControlClient } from "../../packages/server/src/testing/control-client.ts";
import { eventually } from "../eventually.ts";
import { ROOT } from "../source-tree.ts";
import { hasTools, SIGNERS } from "./signer-programs.ts";

const PYTHON = SIGNERS.filter(({ language }) => language === "Python");
const [OLD, NEW, OTHER] = [1, 2, 3].map(
  (byte) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`,
) as [string, string, string];

interface Receiver {
  readonly url: string;
  /** The lines that the receiver printed for handled events: `ACCOUNT SEQUENCE TYPE`. */
  readonly handled: readonly string[];
  stop(): Promise<void>;
}

describe.skipIf(!PYTHON.every(hasTools))("the receiver in Python", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-receiver-"));
    return () => rm(folder, { recursive: true });
  });
  const start = (database: string, secrets = `${NEW} ${OLD}`): Promise<Receiver> => {
    const words = ["examples/python/webhook_receiver.py", join(folder, database), "0"];
    const env = { ...process.env, WEBHOOK_SECRETS: secrets };
    const child = spawn("python3", words, { cwd: ROOT, env });
    const handled: string[] = [];
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      createInterface({ input: child.stdout }).on("line", (line) => {
        const port = /^listening on (\d+)$/.exec(line)?.[1];
        if (port === undefined) handled.push(line);
        else resolve({ url: `http://127.0.0.1:${port}/`, handled, stop: () => ended(child) });
      });
    });
  };
  const post = async (
    { url }: Receiver,
    event: object,
    {
      secret = NEW,
      atMs = systemClock.now(),
    }: { readonly secret?: string; readonly atMs?: number } = {},
  ): Promise<number> => {
    const body = JSON.stringify({ type: "day.ended", data: { type: "day.ended", ...event } });
    const at = new Date(atMs);
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(atMs / 1000)),
      "webhook-signature": new Webhook(secret).sign("evt_1", at, body),
    };
    return (await fetch(url, { method: "POST", headers, body })).status;
  };
  const day = (sequence: number, previous: number | null, accountId = "a") => ({
    accountId,
    sequence,
    previous,
  });

  test("the receiver in Python handles each event once and in order, also after it was started again", async () => {
    const first = await start("order.db");
    expect(await post(first, day(1, null))).toBe(200);
    expect(await post(first, day(1, null))).toBe(200);
    expect(await post(first, day(4, 1))).toBe(200);
    expect(await post(first, day(9, null, "b"))).toBe(200);
    expect(await post(first, day(7, 6))).toBe(409);
    // This is the first event of another webhook.
    expect(await post(first, day(7, null))).toBe(409);
    expect(await post(first, day(10, null, "b"))).toBe(200);
    await eventually(() =>
      expect(first.handled).toEqual([
        "a 1 day.ended",
        "a 4 day.ended",
        "b 9 day.ended",
        "b 10 day.ended",
      ]),
    );
    await first.stop();
    const second = await start("order.db");
    expect(await post(second, day(4, 1))).toBe(200);
    expect(await post(second, day(6, 4))).toBe(200);
    expect(await post(second, day(7, 6))).toBe(200);
    await eventually(() => expect(second.handled).toEqual(["a 6 day.ended", "a 7 day.ended"]));
    await second.stop();
  });

  test("the receiver in Python handles the alerts of each owner once and in order, beside the events [D9.consumer]", async () => {
    const receiver = await start("alerts.db");
    const alert = (number: number, previous: number | null, ownerId: string | null = "o") => ({
      ownerId,
      accountId: "a",
      sequence: null,
      number,
      previous,
    });
    const given: readonly (readonly [object, number])[] = [
      [alert(4, null), 200],
      [day(1, null), 200],
      [alert(4, null), 200],
      [alert(1, null, null), 200],
      [alert(7, 5), 409],
      [alert(7, null), 409],
      [alert(5, 4), 200],
      [alert(7, 5), 200],
    ];
    for (const [body, status] of given) expect(await post(receiver, body)).toBe(status);
    await eventually(() =>
      expect(receiver.handled).toEqual([
        "alerts o 4 day.ended",
        "a 1 day.ended",
        "alerts  1 day.ended",
        "alerts o 5 day.ended",
        "alerts o 7 day.ended",
      ]),
    );
    await receiver.stop();
  });

  test("the receiver in Python takes both secrets of a rotation, and nothing that is forged, old or too long", async () => {
    const receiver = await start("signed.db");
    expect(await post(receiver, day(1, null), { secret: OLD })).toBe(200);
    expect(await post(receiver, day(2, 1), { secret: OTHER })).toBe(401);
    expect(await post(receiver, day(2, 1), { atMs: systemClock.now() - 301_000 })).toBe(401);
    expect(await post(receiver, { accountId: null, sequence: null, previous: null })).toBe(200);
    const unsigned = await fetch(receiver.url, { method: "POST", body: "{}" });
    expect(unsigned.status).toBe(401);
    await eventually(() => expect(receiver.handled).toEqual(["a 1 day.ended"]));
    await receiver.stop();
  });

  describe("with a service", () => {
    let sandbox: CliSandbox;
    beforeAll(async () => {
      sandbox = await openCliSandbox();
      return () => sandbox.close();
    });

    test("the receiver in Python takes what the service's own sender delivers", async () => {
      const receiver = await start("service.db");
      await sandbox.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
      await sandbox.json("order", "market", "BTCUSD", "long", "--quantity", "0.1", "--yes");
      const replay = ["events", "replay", "--from", "0", "--to", receiver.url, "--secret", OLD];
      for (const _ of ["first", "again"]) {
        expect((await sandbox.run(...replay)).code).toBe(0);
      }
      const numbers = receiver.handled.map((line) => Number(line.split(" ")[1]));
      expect(numbers.length).toBeGreaterThan(1);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      await receiver.stop();
    });

    test("the receiver in Python handles the alerts that the service delivers once and in order, also after a replay [D9.webhookAlerts]", async () => {
      const service = await startSandbox({
        port: 0,
        startMs: null,
        seed: "receiver",
        clock: "frozen",
        dataDir: null,
        networkTimeoutMs: 15_000,
        operator: true,
        writeLog: () => undefined,
      });
      const { operatorUrl, operatorToken } = service.ready;
      const operator = async (method: string, path: string, body: object): Promise<CallData> => {
        const headers = { authorization: `Bearer ${operatorToken}` };
        const init = { method, headers, body: JSON.stringify(body) };
        const response = await fetch(`${operatorUrl}/operator/v1${path}`, init);
        return ((await response.json()) as { readonly data: CallData }).data;
      };
      const url = "http://127.0.0.1:1/";
      const types = ["key.created"];
      const { id, secret } = await operator("POST", "/webhooks", { url, types, enabled: false });
      const receiver = await start("service-alerts.db", String(secret));
      await operator("PATCH", `/webhooks/${String(id)}`, { url: receiver.url, enabled: true });
      for (const ownerId of ["first", "second", "second"]) {
        const { accountId } = await operator("POST", "/accounts", { size: 100_000, ownerId });
        await operator("POST", "/keys", { accountId, scopes: ["trade:read"] });
      }
      const deliver = () => createControlClient(service)("POST", "/clock", { advance: 0 });
      await deliver();
      const replay = { ownerId: "second", fromSequence: 1 };
      await operator("POST", `/webhooks/${String(id)}/replay`, replay);
      await deliver();
      await service.stop();
      await receiver.stop();
      expect(receiver.handled.toSorted()).toEqual([
        "alerts first 1 key.created",
        "alerts second 1 key.created",
        "alerts second 2 key.created",
      ]);
    });
  });
});

type CallData = Readonly<Record<string, unknown>>;

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("close", () => resolve());
    child.kill();
  });
}
