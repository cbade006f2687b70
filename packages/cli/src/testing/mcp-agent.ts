import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { startCli } from "./background-cli.ts";
import { MAIN } from "./run-cli.ts";

/** The answer of a tool. */
export interface ToolAnswer {
  readonly isError: boolean;
  /** The text blocks, in their order. */
  readonly texts: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** An agent's client, connected to the real command in a process of its own. */
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

/** A sandbox with a running clock, so that requests are signed with the machine's time. */
export interface AgentSandbox {
  control(path: string, body: unknown): Promise<unknown>;
  /** A new account of 100,000 with a key of these scopes. */
  open(scopes?: readonly string[]): Promise<SandboxAccount>;
  stop(): Promise<void>;
}

export async function startAgentSandbox(): Promise<AgentSandbox> {
  const running = await startCli(["sandbox", "--port", "0", "--clock", "real"]);
  const ready = JSON.parse(running.firstLine) as Record<string, string>;
  const { baseUrl = "", controlUrl = "", controlToken = "" } = ready;
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
    stop: async () => void (await running.stop("SIGKILL")),
  };
}

export const MCP_WORDS = ["--conditions=@propgate/source", MAIN, "mcp"];

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
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...MCP_WORDS, ...given],
    env: keyOf(key),
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (bytes: Buffer) => (stderr += bytes.toString("utf8")));
  const client = new Client({ name: "agent", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  onTestFinished(() => client.close());
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
