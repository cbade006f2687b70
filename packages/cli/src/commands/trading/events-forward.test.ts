import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { rawAnswer, startRawServer } from "../../../../server/src/testing/raw-server.ts";
import { startCliHere } from "../../testing/background-cli.ts";
import { type CliSandbox, openCliSandbox } from "../../testing/cli-sandbox.ts";

const BUY = ["order", "market", "BTCUSD", "long", "--quantity", "0.1", "--yes"] as const;

interface Delivered {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly sequence: number; readonly previous: number | null };
}

/** A receiver that answers with these statuses in turn, and repeats the last one. */
async function startReceiver(...statuses: readonly string[]) {
  const server = await startRawServer((socket) => {
    const status = statuses[Math.min(server.requests.length, statuses.length) - 1] ?? "200 OK";
    socket.write(rawAnswer("", { status }));
  });
  const bodyOf = (text: string): string => text.slice(text.indexOf("\r\n\r\n") + 4);
  return {
    url: `${server.url}/hook`,
    requests: server.requests,
    bodies: () => server.requests.map(({ text }) => JSON.parse(bodyOf(text)) as Delivered),
    /** Verifies each request with the library of the Standard Webhooks. */
    verify(secret: string) {
      for (const { text } of server.requests) {
        const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
        const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(text)?.[1] ?? "";
        const headers = Object.fromEntries(names.map((name) => [name, header(name).trim()]));
        new Webhook(secret).verify(bodyOf(text), headers);
      }
    },
  };
}

describe("events replay and events forward", () => {
  let sandbox: CliSandbox;
  beforeAll(async () => {
    sandbox = await openCliSandbox();
    await sandbox.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
    await sandbox.json(...BUY);
    return () => sandbox.close();
  });

  test("events replay delivers the events after the cursor in order, signed as a webhook, and ends", async () => {
    const receiver = await startReceiver();
    const given = ["events", "replay", "--from", "0", "--to", receiver.url];
    const { code, stdout, stderr } = await sandbox.run(...given);
    const secret = /^The secret is (whsec_\S+)\n$/.exec(stderr)?.[1] ?? "";
    expect(code).toBe(0);
    receiver.verify(secret);
    const bodies = receiver.bodies();
    expect(bodies.length).toBeGreaterThan(1);
    expect(bodies.map(({ data }) => [data.sequence, data.previous])).toEqual(
      bodies.map((_, index) => [index + 1, index === 0 ? null : index]),
    );
    expect(bodies[0]).toMatchObject({
      type: "account.opened",
      timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      data: {
        ownerId: null,
        externalId: null,
        accountId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
    expect(stdout).toMatch(/^1 {2}account\.opened {2}200 {2}\d+ ms\n/);
  });

  test("events replay signs with the given secret, and repeats a failed event before the next one", async () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const receiver = await startReceiver("500 No", "200 OK");
    const given = ["events", "replay", "--from", "1", "--to", receiver.url, "--secret", secret];
    const { code, stdout, stderr } = await sandbox.run(...given, "--json");
    expect([code, stderr]).toEqual([0, ""]);
    receiver.verify(secret);
    expect(receiver.bodies().map(({ data }) => data.sequence)).toEqual(
      [2, 2, 3].slice(0, receiver.requests.length),
    );
    expect(JSON.parse(stdout.split("\n")[0] ?? "")).toMatchObject({ sequence: 2, status: 500 });
  });

  test("events replay ends at a receiver that is gone, and names the place to go on", async () => {
    const receiver = await startReceiver("200 OK", "410 Gone");
    const given = ["events", "replay", "--from", "0", "--to", receiver.url];
    const { code, stderr } = await sandbox.run(...given);
    expect(code).toBe(1);
    expect(stderr).toMatch(/does not take event 2: 410\n.*--from 1-[0-9a-f]{32} --to http/s);
    expect(receiver.requests).toHaveLength(2);
  });

  test("events forward delivers the events that happen, until it is stopped", async () => {
    const receiver = await startReceiver();
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const given = ["events", "forward", "--to", receiver.url, "--secret", secret];
    const starting = startCliHere(given, { env: sandbox.env });
    // The command begins at the head of the journal at an unknown moment after its start. So orders are sent until one
    // is delivered.
    await eventually(async () => {
      await sandbox.json(...BUY);
      expect(receiver.requests.length).toBeGreaterThan(0);
    });
    const running = await starting;
    expect(await running.stop()).toBe(0);
    const [first, second] = receiver.bodies();
    expect(first?.data.previous).toBeNull();
    expect(second?.data.previous ?? first?.data.sequence).toBe(first?.data.sequence);
  });

  test.each([
    [["forward", "--to", "ftp://example.com/"], "--to must be an address with http or https"],
    [["forward", "--to", "http://me:word@127.0.0.1/"], "--to must be an address without a user"],
    [["forward", "--to", "http://127.0.0.1/", "--secret", "x"], "--secret must be whsec_"],
    [["replay", "--to", "http://127.0.0.1/", "--from", "noon"], "--from must be a cursor"],
    [["replay", "--to", "http://127.0.0.1/", "--from", "0", "--csv"], "has no --csv"],
  ])("%j is refused with the option's name", async (given, words) => {
    const { code, stderr } = await sandbox.run("events", ...given);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});
