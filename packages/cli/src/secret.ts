import { readFile } from "node:fs/promises";
import { secretForm } from "@propgate/contract";
import { type CliError, usageError } from "./cli-error.ts";
import type { Terminal } from "./terminal.ts";

/**
 * The secret of a key, from `--secret-file`, PROPGATE_SECRET or standard input that is not a terminal, in this order.
 * It never comes from an argument: every user of the machine can read arguments, and the shell's history keeps them. A
 * secret whose checksum does not match is rejected. @rule D10.secretForm
 */
export async function readSecret(terminal: Terminal, file: string | undefined): Promise<string> {
  const secret = await readSecretText(terminal, file);
  refuseDamagedSecret(secret);
  return secret;
}

/** Rejects a damaged secret with an error that does not show the secret. @rule D10.secretForm */
export function refuseDamagedSecret(secret: string): void {
  // A secret with white space is left to the client, whose error explains the white space.
  if (secretForm(secret) !== "wrong" || /\s/.test(secret)) return;
  throw usageError(DAMAGED_SECRET, `Nothing was signed. ${DAMAGED_SECRET_FIX}`);
}

export const DAMAGED_SECRET =
  "the secret was copied incompletely or mistyped: its checksum does not match";
export const DAMAGED_SECRET_FIX =
  "Copy it again, with nothing around it. If it is lost, create a new key and revoke this one.";

/** The secret without a check of its checksum, for commands that report a damaged secret themselves. */
export async function readSecretText(
  terminal: Terminal,
  file: string | undefined,
): Promise<string> {
  if (file !== undefined) {
    const text = file === "-" ? await readInputText(terminal) : await readTextFile(file, "secret");
    return requireSecret(withoutLineEnd(text), file === "-" ? "standard input" : file);
  }
  const given = terminal.env.PROPGATE_SECRET;
  if (given !== undefined) return requireSecret(given, "PROPGATE_SECRET");
  if (terminal.inputIsTyped) throw noSecretError();
  const text = withoutLineEnd(await readInputText(terminal));
  if (text === "") throw noSecretError();
  return text;
}

export async function readTextFile(path: string, what: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(path, what));
}

export async function readBytes(path: string, what: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw usageError(`cannot read the ${what} from ${path}: ${reason}`);
  }
}

async function readInputText(terminal: Terminal): Promise<string> {
  return new TextDecoder().decode(await terminal.readInput());
}

/** The secret without a line end: editors and `echo` end a file with one that is not part of the secret. */
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

function requireSecret(secret: string, from: string): string {
  if (secret === "") throw usageError(`the secret from ${from} is empty`);
  return secret;
}

function noSecretError(): CliError {
  return usageError(
    "no secret was given",
    "Set PROPGATE_SECRET, name a file with --secret-file, or send it on standard input.",
  );
}
