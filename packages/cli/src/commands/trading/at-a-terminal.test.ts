import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { runCommandLine } from "../../program.ts";
import { type CliSandbox, openCliSandbox } from "../../testing/cli-sandbox.ts";
import { createPersonTerminal } from "../../testing/person-terminal.ts";

let sandbox: CliSandbox;

beforeAll(async () => {
  sandbox = await openCliSandbox();
  await sandbox.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
  return () => sandbox.close();
});

const ORDER = ["order", "market", "BTCUSD", "long", "--quantity", "0.1"] as const;

describe("at a terminal", () => {
  test("an order is asked for, and sent on a yes alone", async () => {
    const { env, baseUrl } = sandbox;
    const refuses = createPersonTerminal({ env, answer: false });
    expect(await runCommandLine(ORDER, refuses.terminal)).toBe(1);
    expect(refuses.prompted).toEqual([`Send this to ${baseUrl} with PROPGATE_KEY_ID?`]);
    expect(refuses.said()).toEqual({
      out: "",
      error: expect.stringMatching(/^execution_type {2}MARKET\n[\s\S]*\nNothing was sent\.\n$/),
    });
    expect(await sandbox.json("positions")).toEqual([]);

    const agrees = createPersonTerminal({ env, answer: true });
    expect(await runCommandLine(ORDER, agrees.terminal)).toBe(0);
    expect(agrees.said().out).toMatch(/^accepted\n/);
    expect(await sandbox.json("positions")).toHaveLength(1);
  });

  test("a secret is typed unseen and kept", async () => {
    const { configHome, secret, keyId, baseUrl } = sandbox;
    const env = { XDG_CONFIG_HOME: configHome };
    const types = createPersonTerminal({ env, secret });
    const given = ["profile", "add", "typed", "--key-id", keyId, "--url", baseUrl];
    expect(await runCommandLine(given, types.terminal)).toBe(0);
    expect(types.prompted).toHaveLength(1);
    const reads = createPersonTerminal({ env });
    expect(await runCommandLine(["account", "--json"], reads.terminal)).toBe(0);
    const leaves = createPersonTerminal({ env, secret: null });
    expect(await runCommandLine([...given.with(2, "left")], leaves.terminal)).toBe(2);
  });

  test("watch draws over itself within the screen, and leaves it as it was", async () => {
    const person = createPersonTerminal({ env: sandbox.env, rows: 10 });
    const watching = runCommandLine(["watch", "--every", "1"], person.terminal);
    const drawn = (): number => person.said().out.split("\u001b[H").length - 1;
    await eventually(() => {
      expect(drawn()).toBeGreaterThan(2);
    });
    person.stop();
    expect(await watching).toBe(0);
    const { out, error } = person.said();
    expect(error).toBe("");
    expect(out.startsWith("\u001b[?1049h\u001b[?25l")).toBe(true);
    expect(out.endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
    for (const screen of out.split("\u001b[H").slice(1)) {
      expect(screen.split("\n").length).toBeLessThanOrEqual(10);
    }
  });

  test("colours are there for a person, and not with --no-color", async () => {
    const coloured = createPersonTerminal({ env: sandbox.env, colours: true });
    await runCommandLine(["account"], coloured.terminal);
    expect(coloured.said().out).toContain("\u001b[32m");
    const plain = createPersonTerminal({ env: sandbox.env, colours: true });
    await runCommandLine(["account", "--no-color"], plain.terminal);
    expect(plain.said().out).not.toContain("\u001b");
  });
});
