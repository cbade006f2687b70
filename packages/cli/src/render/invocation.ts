/** The words of the command in a checkout, where `propgate` is not on the path. */
export const CHECKOUT_INVOCATION = "npm run propgate --";
export const INSTALLED_INVOCATION = "propgate";

/** The names of all commands; a table of the program has a row for each. */
export const COMMAND_NAMES = [
  "account",
  "backup",
  "cancel-all-after",
  "candles",
  "completion",
  "doctor",
  "events",
  "fills",
  "instruments",
  "journal",
  "mcp",
  "migrate",
  "operator",
  "order",
  "orders",
  "payouts",
  "positions",
  "prices",
  "profile",
  "evidence",
  "rejudge",
  "restore",
  "sandbox",
  "serve",
  "settle",
  "sign",
  "trades",
  "verify",
  "watch",
] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];

const COMMAND_PATTERN = new RegExp(
  `(?<![\\w/@-])propgate (?=(?:${COMMAND_NAMES.join("|")})\\b)`,
  "g",
);

/**
 * `text` with `invocation` in place of each `propgate` before the name of a command: the words that the user has to
 * type.
 */
export function withInvocation(text: string, invocation: string): string {
  return text.replaceAll(COMMAND_PATTERN, `${invocation} `);
}
