import { passwordsOf } from "@propgate/contract";
import { Option } from "commander";
import { usageError } from "./cli-error.ts";

/**
 * The option `--database-url`. It rejects a URL with a password, because every user of the machine can list arguments.
 */
export function databaseUrlOption(about: string): Option {
  return new Option("--database-url <url>", about).argParser((url) => {
    const asParameter = /[?&]password=./i.test(url);
    if (!asParameter && passwordsOf(url).length === 0) return url;
    throw usageError(
      "--database-url contains a password, and every user of this machine can list arguments",
      "Set PROPGATE_DATABASE_URL instead.",
    );
  });
}
