import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { startCli } from "./background-cli.ts";
import { MAIN } from "./run-cli.ts";

/** The last word on what a tool answered. */
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
  /** All that the command has said beside the protocol. */
  stderr(): string;
}

export interface SandboxReady {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly secret: string;
  control(path: string, body: unknown): Promise<unknown>;
}

/** A sandbox whose clock runs, so that requests are signed with the machine's time. */
export async function startSandbox(): Promise<SandboxReady> {
  const running = await startCli(["sandbox", "--port", "0", "--clock", "real"]);
  onTestFinished(async () => void (await running.stop("SIGKILL")));
  const ready = JSON.parse(running.firstLine) as Record<string, string>;
  const { baseUrl = "", accountId = "", keyId = "", secret = "" } = ready;
  return {
    ...{ baseUrl, accountId, keyId, secret },
    control: async (path, body) => {
      const response = await fetch(`${ready.controlUrl ?? ""}${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${ready.controlToken ?? ""}` },
        body: JSON.stringify(body),
      });
      if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
      return response.json();
    },
  };
}

export const MCP_WORDS = ["--conditions=@propgate/source", MAIN, "mcp"];

/** What the command finds in its environment. */
export function keyOf(sandbox: Pick<SandboxReady, "baseUrl" | "keyId" | "secret">) {
  return {
    PROPGATE_BASE_URL: sandbox.baseUrl,
    PROPGATE_KEY_ID: sandbox.keyId,
    PROPGATE_SECRET: sandbox.secret,
  };
}

/** `auto` opens as the newest generation of the protocol does, `legacy` as those before. */
export async function connectAgent(
  sandbox: Pick<SandboxReady, "baseUrl" | "keyId" | "secret">,
  given: readonly string[] = [],
  mode: "auto" | "legacy" = "auto",
): Promise<McpAgent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...MCP_WORDS, ...given],
    env: keyOf(sandbox),
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
