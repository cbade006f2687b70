import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { runCommandLine } from "./program.ts";
import { type CliSandbox, openCliSandbox } from "./testing/cli-sandbox.ts";
import { HIDDEN_CHARACTER, HOSTILE_TEXT } from "./testing/hostile-text.ts";
import { createPersonTerminal } from "./testing/person-terminal.ts";
import { runCli } from "./testing/run-cli.ts";

const READS = [
  ...["account", "positions", "orders", "trades", "payouts", "instruments"],
  ...["events list", "watch --once", "fills", "candles BTCUSD", "doctor"],
];

let sandbox: CliSandbox;
let url = "";
let edit: (value: unknown) => unknown = (value) => value;

beforeAll(async () => {
  sandbox = await openCliSandbox();
  await sandbox.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
  const sized = ["long", "--quantity", "0.1", "--yes"] as const;
  await sandbox.json("order", "market", "BTCUSD", ...sized);
  await sandbox.json("order", "flat", "--yes");
  await sandbox.json("order", "market", "BTCUSD", ...sized);
  await sandbox.json("order", "limit", "BTCUSD", ...sized, "--price", "40000");
  const server = createServer((request, response) => void forwardEdited(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    server.closeAllConnections();
    server.close();
    await sandbox.close();
  };
});

/** Passes a GET on to the sandbox, and answers with the sandbox's body as changed by `edit`. */
async function forwardEdited(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === "string" && name !== "host" && name !== "connection" ? [[name, value]] : [],
  );
  const answer = await fetch(`${sandbox.baseUrl}${request.url}`, {
    headers: Object.fromEntries(headers),
  });
  const body: unknown = await answer.json();
  response.writeHead(answer.status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(edit(body)));
}

function eachText(value: unknown): unknown {
  if (typeof value === "string") return `${value}${HOSTILE_TEXT}`;
  if (Array.isArray(value)) return value.map(eachText);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, eachText(one)]));
}

const settings = () => ({ env: { ...sandbox.env, PROPGATE_BASE_URL: url } });

describe("a service whose texts would control the terminal", () => {
  test.each(READS)(
    "propgate %s prints no hidden character, as text, CSV or JSON",
    async (command) => {
      edit = eachText;
      for (const form of [[], ["--csv"], ["--json"]]) {
        const { stdout, stderr } = await runCli([...command.split(" "), ...form], settings());
        expect(HIDDEN_CHARACTER.exec(stdout + stderr)).toBeNull();
        expect(stdout + stderr).not.toBe("");
      }
    },
  );

  test("a terminal with colours gets those of the program alone", async () => {
    edit = eachText;
    const person = createPersonTerminal({ ...settings(), colours: true });
    expect(await runCommandLine(["account"], person.terminal)).toBe(0);
    const { out } = person.said();
    expect(out).toContain("\u001b[");
    expect(
      HIDDEN_CHARACTER.exec(out.replaceAll(/\p{Cc}\[(?:1|2|22|31|32|33|39)m/gu, "")),
    ).toBeNull();
  });

  test("the JSON has the service's values exactly", async () => {
    edit = eachText;
    const { stdout } = await runCli(["positions", "--json"], settings());
    expect(stdout).not.toMatch(HIDDEN_CHARACTER);
    expect(JSON.parse(stdout)).toMatchObject([{ tradePair: `BTCUSD${HOSTILE_TEXT}` }]);
  });

  test.each(["account", "watch --once"])(
    "propgate %s works with the answer of a service that has no dead man's switch",
    async (command) => {
      edit = (value) =>
        JSON.parse(JSON.stringify(value), (name, one: unknown) =>
          name === "cancelAllAfter" ? undefined : one,
        );
      const { code, stdout, stderr } = await runCli(command.split(" "), settings());
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain("equity");
    },
  );

  test.each([
    ["account", {}],
    ["account", null],
    ["account", [[]]],
    ["positions", {}],
    ["positions", [null]],
    ["orders", 1],
    ["trades", [{}]],
    ["instruments", [7]],
  ])(
    "propgate %s calls the answer %j unexpected, not a fault of its own",
    async (command, data) => {
      edit = () => ({ success: true, data });
      const { code, stderr } = await runCli([command], settings());
      expect([code, stderr]).toEqual([3, expect.stringContaining("unexpected answer of http")]);
      expect(stderr).not.toMatch(/a fault of this program|\n {4}at /);
    },
  );

  test("an error of the service is printed without them", async () => {
    edit = () => ({ error: `no${HOSTILE_TEXT}` });
    for (const form of [[], ["--json"]]) {
      const { code, stderr } = await runCli(["trades", ...form], settings());
      expect(code).not.toBe(0);
      expect(HIDDEN_CHARACTER.exec(stderr)).toBeNull();
    }
  });
});
