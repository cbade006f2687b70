import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { onTestFinished } from "vitest";
import { runCommandLine } from "../program.ts";
import type { TradingKey } from "./account-sandbox.ts";
import { createPersonTerminal } from "./person-terminal.ts";

/** The answer of an MCP tool to one call. */
export interface ToolAnswer {
  readonly isError: boolean;
  /** The blocks of text, in their order. */
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

/** The environment variables of a key. */
export function keyVariables({ baseUrl, keyId, secret }: TradingKey): Record<string, string> {
  return { PROPGATE_BASE_URL: baseUrl, PROPGATE_KEY_ID: keyId, PROPGATE_SECRET: secret };
}

/** Connects an agent. `auto` uses the newest version of the protocol, `legacy` an earlier one. */
export async function connectAgent(
  key: TradingKey,
  given: readonly string[] = [],
  mode: "auto" | "legacy" = "auto",
  env: Readonly<Record<string, string>> = {},
): Promise<McpAgent> {
  const [toCommand, fromCommand] = [new PassThrough(), new PassThrough()];
  let stderr = "";
  const person = createPersonTerminal({ env: { ...keyVariables(key), ...env } });
  const ended = runCommandLine(["mcp", ...given], {
    ...person.terminal,
    streams: { input: toCommand, output: fromCommand },
    error(text) {
      stderr += text;
    },
  });
  const client = new Client({ name: "agent", version: "1.0.0" }, { versionNegotiation: { mode } });
  // The server's transport also serves as the client's, because both ends exchange lines of JSON.
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
