import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { startSandbox } from "@propgate/server";
import { onTestFinished } from "vitest";
import { run } from "../program.ts";
import { personTerminal } from "./person-terminal.ts";

/** The answer of a tool. */
export interface ToolAnswer {
  readonly isError: boolean;
  /** The text blocks, in their order. */
  readonly texts: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** An agent's client, connected to the command in this process. */
export interface McpAgent {
  readonly client: Client;
  call(name: string, given?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  /** The command's output on standard error. */
  stderr(): string;
}

/** The address of a service and a key. */
export interface TradingKey {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
}

export interface SandboxAccount extends TradingKey {
  readonly accountId: string;
}

/** A sandbox in this process. Its clock runs, so requests are signed with the machine's time, or stays at one time. */
export interface AgentSandbox {
  control(path: string, body: unknown): Promise<unknown>;
  /** A new account of 100,000 with a key of these scopes. */
  open(scopes?: readonly string[]): Promise<SandboxAccount>;
  stop(): Promise<void>;
}

export async function startAgentSandbox(startMs: number | null = null): Promise<AgentSandbox> {
  const running = await startSandbox({
    port: 0,
    startMs,
    seed: "1",
    clock: startMs === null ? "real" : "frozen",
    dataDir: null,
    networkTimeoutMs: 15_000,
  });
  const { baseUrl, controlUrl, controlToken } = running.ready;
  const control = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${controlUrl}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${controlToken}` },
      body: JSON.stringify(body),
    });
    if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  return {
    control,
    async open(scopes = ["trade:read", "trade:place"]) {
      const opened = (await control("/accounts", { size: 100_000 })) as Record<string, string>;
      const { accountId = "" } = opened;
      const made = (await control("/keys", { accountId, scopes })) as Record<string, string>;
      const { keyId = "", secret = "" } = made;
      return { baseUrl, accountId, keyId, secret };
    },
    stop: () => running.stop(),
  };
}

/** The environment variables of a key. */
export function keyOf({ baseUrl, keyId, secret }: TradingKey): Record<string, string> {
  return { PROPGATE_BASE_URL: baseUrl, PROPGATE_KEY_ID: keyId, PROPGATE_SECRET: secret };
}

/** `auto` uses the newest version of the protocol, `legacy` an earlier one. */
export async function connectAgent(
  key: TradingKey,
  given: readonly string[] = [],
  mode: "auto" | "legacy" = "auto",
): Promise<McpAgent> {
  const [toCommand, fromCommand] = [new PassThrough(), new PassThrough()];
  let stderr = "";
  const person = personTerminal({ env: keyOf(key) });
  const ended = run(["mcp", ...given], {
    ...person.terminal,
    streams: { input: toCommand, output: fromCommand },
    error(text) {
      stderr += text;
    },
  });
  const client = new Client({ name: "agent", version: "1.0.0" }, { versionNegotiation: { mode } });
  // Both ends of the protocol's streams are the same: lines of JSON.
  await client.connect(new StdioServerTransport(fromCommand, toCommand));
  onTestFinished(async () => {
    await client.close();
    toCommand.end();
    await ended;
  });
  return {
    client,
    stderr: () => stderr,
    async call(name, args = {}) {
      const answer = await client.callTool({ name, arguments: { ...args } });
      return {
        isError: answer.isError === true,
        texts: answer.content.flatMap((block) => (block.type === "text" ? [block.text] : [])),
        data: (answer.structuredContent ?? {}) as Record<string, unknown>,
      };
    },
  };
}
