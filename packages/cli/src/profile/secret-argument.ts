import { type CliError, usageError } from "../cli-error.ts";

/** The form of a complete secret, not only of a word that begins like one. */
const SECRET = /^[\s"'`]*propgate_sk_[A-Za-z0-9_-]{20,}/i;

/**
 * Rejects a command line that contains a secret, because other users of the machine can read arguments. A secret after
 * `--key-id` is not rejected here: the command itself rejects it, and its message explains that id and secret are
 * swapped.
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
