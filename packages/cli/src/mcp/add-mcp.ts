import { createClient } from "@propgate/sdk";
import type { Command } from "commander";
import { usageError } from "../cli-error.ts";
import {
  type ConnectionOptions,
  connectionOptions,
  readCredentials,
} from "../profile/connection.ts";
import type { Terminal } from "../terminal.ts";
import { LONGEST_SETTLE_SECONDS, READS, readTimeLimits, type TimeOptions } from "./time-limits.ts";
import { type CapOptions, DEFAULT_ORDERS_PER_MINUTE, readCaps } from "./trading-caps.ts";

interface McpOptions extends CapOptions, TimeOptions, ConnectionOptions {}

/** `propgate mcp`: the account as tools of an agent. */
export function addMcp(program: Command, terminal: Terminal): void {
  const command = connectionOptions(
    program
      .command("mcp")
      .summary("let an agent read the account, and trade it within caps")
      .description(
        "Speak the Model Context Protocol on standard input and output: tools that read the account " +
          "of one key. With --allow-trading also tools that place, edit, cancel and close, within " +
          "the caps; closing, reducing and cancelling are never held back. The secret comes from a profile, PROPGATE_SECRET or a file: standard input " +
          "speaks the protocol.",
      ),
  )
    .option("--allow-trading", "also tools that trade; needs --pairs and --max-notional")
    .option("--pairs <names>", "pairs that orders may open, with commas between them")
    .option("--max-notional <usd>", "most that one order may be worth, USD")
    .option(
      "--max-orders-per-minute <n>",
      `most requests in 60 seconds that open, add, protect or edit (${DEFAULT_ORDERS_PER_MINUTE})`,
    )
    .option("--max-exposure <usd>", "most that positions and pending entries may sum up to, USD")
    .option(
      "--max-loss <usd>",
      "loss of the session or the UTC day at which nothing more is opened, USD",
    )
    .option(
      "--settle-timeout <seconds>",
      `longest time to find out an order's fate, up to ${LONGEST_SETTLE_SECONDS}, which is the default`,
    );
  command.action(async () => {
    const options = command.optsWithGlobals<McpOptions>();
    const caps = readCaps(options);
    const { baseUrl, keyId, secret, brand } = await readCredentials(silent(terminal), options);
    // Strict: a misspelt stop is refused before the order is sent.
    const key = { baseUrl, keyId, secret, brand, strict: true, now: () => terminal.now() };
    const limits = readTimeLimits(options);
    const client = createClient({ ...key, ...READS, settleTimeoutMs: limits.settleMs });
    const { serveMcp } = await import("./mcp-server.ts");
    const version = program.version() ?? "";
    await serveMcp(terminal, { client, caps, limits, version });
  });
}

/** Standard input speaks the protocol: no secret is to be found there. */
function silent(terminal: Terminal): Terminal {
  return {
    ...terminal,
    readInput: () =>
      Promise.reject(
        usageError(
          "no secret was given, and standard input speaks the protocol here",
          "Use a profile, set PROPGATE_SECRET, or name a file with --secret-file.",
        ),
      ),
  };
}
