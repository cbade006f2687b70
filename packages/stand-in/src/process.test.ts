import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createRemoteControl } from "./control/remote-control.ts";
import type { StandIn } from "./stand-in.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

async function start(options: object) {
  const child = spawn(process.execPath, [MAIN, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(createInterface(child.stdout), "line");
  const printed: Omit<StandIn, "control" | "close"> = JSON.parse(String(line));
  return { child, printed, control: createRemoteControl(printed.controlUrl) };
}

test("a killed process keeps its accounts and orders in its file", async () => {
  const stateFile = join(mkdtempSync(join(tmpdir(), "stand-in-")), "state.json");
  const first = await start({ stateFile });
  await first.control.addSubaccount({ assetClass: "crypto" });
  await first.control.setPrices({ BTCUSDC: { bid: 50_000, ask: 50_000 } });
  const order = {
    subaccount_id: 0,
    execution_type: "MARKET",
    trade_pair: "BTCUSDC",
    order_type: "LONG",
    quantity: 0.1,
    order_uuid: "kept",
  };
  const response = await fetch(`${first.printed.gatewayUrl}/api/submit-order`, {
    method: "POST",
    headers: { authorization: `Bearer ${first.printed.keys.gateway}` },
    body: JSON.stringify(order),
  });
  expect(response.status).toBe(200);
  first.child.kill("SIGKILL");
  await once(first.child, "exit");

  const second = await start({ stateFile });
  expect(await second.control.acceptedOrders()).toMatchObject([{ uuid: "kept", state: "filled" }]);
  await expect(second.control.eliminate("none", { reason: "INACTIVE", dd: 0 })).rejects.toThrow(
    "stand-in: no subaccount none",
  );
  second.child.kill("SIGTERM");
  expect(await once(second.child, "exit")).toEqual([0, null]);
});
