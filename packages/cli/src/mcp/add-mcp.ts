import { createClient, type Linked } from "@propgate/sdk";
import type { Command } from "commander";
import { usageError } from "../cli-error.ts";
import {
  addConnectionOptions,
  type ConnectionOptions,
  readCredentials,
} from "../profile/connection.ts";
import type { Terminal } from "../terminal.ts";
import { checkWebhookSettings } from "./events/delivery-sender.ts";
import {
  READ_LIMITS,
  readTimeLimits,
  SETTLE_SECONDS_MAX,
  type TimeOptions,
} from "./time-limits.ts";
import { type CapOptions, DEFAULT_ORDERS_PER_MINUTE, readCaps } from "./trading-caps.ts";

interface McpOptions extends CapOptions, TimeOptions, ConnectionOptions {}

/** `propgate mcp`: serves the account as tools for an agent. */
export function addMcp(program: Command, terminal: Terminal): void {
  const command = addConnectionOptions(
    program
      .command("mcp")
      .summary("serve the account to an agent, with trading within caps")
      .description(
        "Serve the Model Context Protocol on standard input and output: tools that read the account of " +
          "one key. --allow-trading adds tools that place, edit, cancel and close within the caps; " +
          "closing, reducing and cancelling are always allowed. The agent may renew the dead man's switch and arm " +
          "it sooner, but end or loosen it only with --allow-switch-off. The secret comes from a profile, " +
          "PROPGATE_SECRET or a file, because standard input is used for the protocol.",
      ),
  )
    .option("--allow-trading", "add tools that trade; requires --pairs and --max-notional")
    .option("--allow-switch-off", "let the agent end or loosen the dead man's switch")
    .option("--pairs <names>", "comma-separated pairs that orders may open")
    .option("--max-notional <usd>", "maximum value of one order, USD")
    .option(
      "--max-orders-per-minute <n>",
      `maximum requests in 60 seconds that open, add, protect or edit (${DEFAULT_ORDERS_PER_MINUTE})`,
    )
    .option("--max-exposure <usd>", "maximum total value of positions and pending entries, USD")
    .option(
      "--max-loss <usd>",
      "loss of the session or the UTC day after which no position is opened, USD",
    )
    .option(
      "--settle-timeout <seconds>",
      `time limit for finding out an order's fate; maximum and default: ${SETTLE_SECONDS_MAX}`,
    );
  command.action(async () => {
    const options = command.optsWithGlobals<McpOptions>();
    const caps = readCaps(options);
    const { baseUrl, keyId, secret, brand } = await readCredentials(
      withoutInput(terminal),
      options,
    );
    // With `strict`, a misspelt field such as a stop is rejected before the order is sent.
    const key = { baseUrl, keyId, secret, brand, strict: true, now: () => terminal.now() };
    const limits = readTimeLimits(options);
    const client = createClient<Linked>({
      ...key,
      ...READ_LIMITS,
      settleTimeoutMs: limits.settleMs,
    });
    const { serveMcp } = await import("./mcp-server.ts");
    await checkWebhookSettings(terminal.env);
    const version = program.version() ?? "";
    await serveMcp(terminal, { client, keyId, caps, limits, version });
  });
}

/** The terminal without standard input, because the MCP protocol uses standard input. */
function withoutInput(terminal: Terminal): Terminal {
  return {
    ...terminal,
    readInput: () =>
      Promise.reject(
        usageError(
          "no secret was given, and standard input is used for the protocol",
          "Use a profile, set PROPGATE_SECRET, or name a file with --secret-file.",
        ),
      ),
  };
}
