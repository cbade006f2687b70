import { isSecretShaped } from "@propgate/contract";
import { type CliError, usageError } from "../cli-error.ts";

/** True when `text` begins like a secret, after white space and quotes. */
export function beginsAsSecret(text: string): boolean {
  return isSecretShaped(text.replace(/^[\s"'`]+/, ""));
}

/**
 * Rejects a secret in the place of a key id; the error does not show it. `where` names the option, variable or file;
 * `secret` is the given secret, null when unknown.
 * @rule D10.secretAsId
 */
export function refuseSecretAsId(
  keyId: string,
  given: { readonly where: string; readonly secret: string | null; readonly fix?: string },
): void {
  if (!beginsAsSecret(keyId)) return;
  const { where, secret, fix = "Nothing was sent." } = given;
  const isSwapped = secret?.trim().startsWith("pk_") === true;
  throw usageError(
    `${where} contains a secret instead of a key id${isSwapped ? ": id and secret are swapped" : ""}`,
    `A key id begins with pk_, a secret with propgate_sk_ (or sk_ in earlier releases). ${fix}`,
  );
}

/** A complete secret, not only a word that begins like one. */
const SECRET = /^[\s"'`]*(?:propgate_)?sk_[A-Za-z0-9_-]{20,}/i;

/**
 * Rejects a command line that contains a secret, because other users of the machine can read arguments.
 * The command itself checks the value of `--key-id`, because it knows the secret too.
 * @rule D10.secretAsId
 */
export function refuseSecretArgument(argv: readonly string[]): void {
  const found = argv.some((word, index) => {
    const [option = "", value = ""] = /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? [];
    if (option === "--key-id" || argv[index - 1] === "--key-id") return false;
    return SECRET.test(option === "" ? word : value);
  });
  if (found) throw secretArgument();
}

function secretArgument(): CliError {
  return usageError(
    "an argument is a secret, which is not shown; nothing was sent",
    "Set PROPGATE_SECRET or name a file with --secret-file. Other users of this machine can read\n" +
      "arguments, and the shell keeps them: create a new key and revoke this one.",
  );
}
