import { usageError } from "./cli-error.ts";

const ACCOUNT_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns a typed account id. Any other text, such as a part of an id, is a usage error of every command. */
export function checkAccountId(typed: string, argument: string): string {
  if (ACCOUNT_FORM.test(typed)) return typed;
  throw usageError(
    `${argument} is not an account's id: ${typed}`,
    "operator accounts list shows the whole ids.",
  );
}
