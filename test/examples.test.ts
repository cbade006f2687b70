/** Runs the bot of `examples/` as a reader runs it. The signers have their tests in `test/signers/`. */
import { describe, expect, test } from "vitest";
import { startCliHere } from "../packages/cli/src/testing/background-cli.ts";
import { runProgram } from "./signers/signer-programs.ts";

describe("the bot, in a sandbox", () => {
  test("the bot buys, moves its stop with the price, pauses after a loss and begins again the next day", async () => {
    const sandbox = await startCliHere(["sandbox", "--start", "2026-01-05T12:00:00Z"]);
    const ready = JSON.parse(sandbox.firstLine) as Record<string, string>;
    const control = async (path: string, body: unknown): Promise<void> => {
      const response = await fetch(`${ready.controlUrl}${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${ready.controlToken}` },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(200);
      await response.text();
    };
    const quote = (bid: number, ask: number) => control("/quotes", [{ pair: "BTCUSD", bid, ask }]);
    const bot = async (): Promise<string> => {
      const command = [process.execPath, "--conditions=@propgate/source", "examples/bot/bot.ts"];
      const { stdout } = await runProgram(command, {
        PROPGATE_BASE_URL: ready.baseUrl ?? "",
        PROPGATE_KEY_ID: ready.keyId ?? "",
        PROPGATE_SECRET: ready.secret ?? "",
      });
      return stdout.trim();
    };

    await quote(99_990, 100_000);
    expect(await bot()).toBe("bought 0.25 BTCUSD at 100000");
    await quote(110_000, 110_010);
    expect(await bot()).toBe("holding 0.25 BTCUSD, stop at 104500");
    // The stop loses 4,000, and the fees are 13.80.
    await quote(84_000, 84_010);
    expect(await bot()).toBe("lost 4.01 % today: stopping until tomorrow");
    await control("/clock", { advance: 86_400_000 });
    await quote(80_000, 80_000);
    // The size is a quarter of the remaining 95,986.20.
    expect(await bot()).toBe("bought 0.29996 BTCUSD at 80000");
  });
});
