import type { SwitchResult } from "@propgate/contract";
import { type Client, createClient } from "@propgate/sdk";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startVerifyingServer } from "../../../sdk/src/testing/verifying-server.ts";
import { type AccountSandbox, startAccountSandbox } from "../testing/account-sandbox.ts";
import { connectAgent, type McpAgent } from "../testing/mcp-agent.ts";
import { SWITCH_CALLS_PER_MINUTE } from "./switch-tool.ts";

const TRADING = ["--allow-trading", "--pairs", "BTCUSD", "--max-notional", "5000"];

let sandbox: AccountSandbox;

beforeAll(async () => {
  sandbox = await startAccountSandbox();
  return () => sandbox.stop();
});

/** Opens an account and returns an agent with it, and a client of the person who owns it. */
async function openAgentAndOwner(
  given: readonly string[] = [],
): Promise<{ readonly agent: McpAgent; readonly person: Client }> {
  const key = await sandbox.open();
  const agent = await connectAgent(key, [...TRADING, ...given]);
  return { agent, person: createClient(key) };
}

async function armed(agent: McpAgent, given: object): Promise<SwitchResult["cancelAllAfter"]> {
  const { data, isError } = await agent.call("cancel_all_after", { ...given });
  expect([isError, data.error]).toEqual([false, undefined]);
  return (data as unknown as SwitchResult).cancelAllAfter;
}

describe("an agent and its person's dead man's switch [D12.agentSwitch]", () => {
  test("an agent arms the dead man's switch, renews it, arms it sooner and makes it close everything", async () => {
    const { agent } = await openAgentAndOwner();
    expect(await armed(agent, { seconds: 600 })).toMatchObject({ seconds: 600, action: "cancel" });
    expect(await armed(agent, { seconds: 600 })).toMatchObject({ seconds: 600 });
    expect(await armed(agent, { seconds: 300 })).toMatchObject({ seconds: 300 });
    expect(await armed(agent, { seconds: 300, action: "flatten" })).toMatchObject({
      seconds: 300,
      action: "flatten",
    });
  });

  test.each([
    [{ seconds: 0 }, "'seconds' 0 ends the dead man's switch"],
    [{ seconds: 601, action: "flatten" }, "'seconds' must be at most 600, as the switch was armed"],
    [{ seconds: 60 }, "'action' must be 'flatten', as the switch was armed"],
  ])("an agent does not end or loosen the dead man's switch: %j", async (given, error) => {
    const { agent, person } = await openAgentAndOwner();
    const { cancelAllAfter } = await person.cancelAllAfter(600, { action: "flatten" });
    const { isError, data } = await agent.call("cancel_all_after", given);
    expect([isError, data.code, data.error]).toEqual([true, "refusedHere", error]);
    expect(data.fix).toContain("--allow-switch-off");
    expect((await person.account()).cancelAllAfter).toEqual(cancelAllAfter);
  });

  test("an agent does not end a dead man's switch that is not armed, because positions may still be closing", async () => {
    const { agent } = await openAgentAndOwner();
    expect((await agent.call("cancel_all_after", { seconds: 0 })).isError).toBe(true);
  });

  test("an agent calls the dead man's switch sixty times a minute, and no more [D12.agentSwitchRate]", async () => {
    const { agent } = await openAgentAndOwner();
    const calls = await Promise.all(
      Array.from({ length: SWITCH_CALLS_PER_MINUTE + 5 }, () =>
        agent.call("cancel_all_after", { seconds: 600 }),
      ),
    );
    const refused = calls.filter(({ isError }) => isError);
    expect(refused).toHaveLength(5);
    for (const { data } of refused) {
      expect(data).toMatchObject({ code: "refusedHere", retryAfterMs: expect.any(Number) });
    }
  });

  test("an agent ends and loosens the dead man's switch with --allow-switch-off", async () => {
    const { agent, person } = await openAgentAndOwner(["--allow-switch-off"]);
    await person.cancelAllAfter(60, { action: "flatten" });
    expect(await armed(agent, { seconds: 3_600 })).toMatchObject({ seconds: 3_600 });
    expect(await armed(agent, { seconds: 0 })).toBeNull();
  });

  test("a call without an answer does not say that the dead man's switch was left unchanged", async () => {
    const service = await startVerifyingServer({ secret: "its-secret", replies: ["hang up"] });
    onTestFinished(() => service.close());
    const key = { baseUrl: service.baseUrl, keyId: "pk_1", secret: "its-secret" };
    const agent = await connectAgent(key, [...TRADING, "--allow-switch-off"]);
    const { isError, data } = await agent.call("cancel_all_after", { seconds: 60 });
    expect([isError, data.code, data.status]).toEqual([true, "unreachable", null]);
    expect(data.cause).toBe("No answer came, so the switch may have been changed or not.");
  });

  test.each([
    [[], "Here it cannot be ended", true],
    [["--allow-switch-off"], "`seconds` 0 ends it", false],
  ])("the tool and the instructions say what %j allows", async (given, described, isInstructed) => {
    const { agent } = await openAgentAndOwner(given);
    const { tools } = await agent.client.listTools();
    const tool = tools.find(({ name }) => name === "cancel_all_after");
    expect(tool?.description).toContain(described);
    const instructions = agent.client.getInstructions() ?? "";
    expect(instructions.includes("not ended or loosened")).toBe(isInstructed);
  });
});
