import { createClient } from "@propgate/sdk";
import type { Command } from "commander";
import { DEFAULT_BASE_URL } from "../base-url.ts";
import { usageError } from "../cli-error.ts";
import { readSecret } from "../secret.ts";
import type { Terminal } from "../terminal.ts";
import { type CapOptions, DEFAULT_ORDERS_PER_MINUTE, readCaps } from "./trading-caps.ts";

interface McpOptions extends CapOptions {
  readonly baseUrl?: string;
  readonly keyId?: string;
  readonly secretFile?: string;
  readonly brand?: string;
}

/** `propgate mcp`: the account as tools of an agent. */
export function addMcp(program: Command, terminal: Terminal): void {
  const command = program
    .command("mcp")
    .summary("let an agent read the account, and trade it within caps")
    .description(
      "Speak the Model Context Protocol on standard input and output: tools that read the account of " +
        "one key. With --allow-trading also tools that place, edit, cancel and close, within the " +
        "caps. The secret comes from PROPGATE_SECRET or --secret-file.",
    )
    .option("--base-url <url>", `where the service is (PROPGATE_BASE_URL, or ${DEFAULT_BASE_URL})`)
    .option("--key-id <id>", "key id (PROPGATE_KEY_ID)")
    .option("--secret-file <path>", "file with the secret")
    .option("--brand <word>", "word in the header names (PROPGATE_BRAND, or Service)")
    .option("--allow-trading", "also tools that trade; needs --pairs and --max-notional")
    .option("--pairs <names>", "pairs that orders may open, with commas between them")
    .option("--max-notional <usd>", "most that one order may be worth, USD")
    .option(
      "--max-orders-per-minute <n>",
      `most requests that change something in 60 seconds (${DEFAULT_ORDERS_PER_MINUTE})`,
    );
  command.action(async () => {
    const options = command.optsWithGlobals<McpOptions>();
    const caps = readCaps(options);
    const client = createClient({
      ...(await readKey(terminal, options)),
      now: () => terminal.now(),
    });
    const { serveMcp } = await import("./mcp-server.ts");
    await serveMcp(terminal, { client, caps, version: program.version() ?? "" });
  });
}

async function readKey(
  terminal: Terminal,
  options: McpOptions,
): Promise<{ baseUrl: string; keyId: string; secret: string; brand?: string }> {
  const keyId = options.keyId ?? terminal.env.PROPGATE_KEY_ID;
  if (keyId === undefined || keyId === "") {
    throw usageError("no key was named", "Set PROPGATE_KEY_ID, or give --key-id.");
  }
  const isGiven = options.secretFile ?? terminal.env.PROPGATE_SECRET;
  if (isGiven === undefined || options.secretFile === "-") {
    throw usageError(
      "no secret was given, and standard input speaks the protocol here",
      "Set PROPGATE_SECRET, or name a file with --secret-file.",
    );
  }
  const brand = options.brand ?? terminal.env.PROPGATE_BRAND;
  return {
    baseUrl: readBaseUrl(options.baseUrl ?? terminal.env.PROPGATE_BASE_URL ?? DEFAULT_BASE_URL),
    keyId,
    secret: await readSecret(terminal, options.secretFile),
    ...(brand === undefined ? {} : { brand }),
  };
}

function readBaseUrl(text: string): string {
  if (/^https?:\/\/[^/]+/.test(text) && URL.canParse(text)) return text;
  throw usageError(`--base-url is no http or https URL: ${text}`, `Such as ${DEFAULT_BASE_URL}`);
}
