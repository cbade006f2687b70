import { usageError } from "./cli-error.ts";

const ACCOUNT_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An account's id as it was typed. A part of one is a wrong argument, of every command alike. */
export function typedAccount(typed: string, argument: string): string {
  if (ACCOUNT_FORM.test(typed)) return typed;
  throw usageError(
    `${argument} is not an account's id: ${typed}`,
    "operator accounts list shows the whole ids.",
  );
}
