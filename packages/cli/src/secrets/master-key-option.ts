import { existsSync } from "node:fs";
import { join } from "node:path";
import type { MasterKeys } from "@propgate/server";
import { EXIT, usageError } from "../cli-error.ts";
import { startupError } from "../start-failure.ts";
import type { Terminal } from "../terminal.ts";
import { readSecretSetting } from "./secret-setting.ts";

export const MASTER_KEY_OPTION = [
  "--master-key-file <path>",
  "file with the master key (PROPGATE_MASTER_KEY, or master.key in the data folder)",
] as const;

/**
 * The master key: from the file that the option names, otherwise from where the service reads it. Null when there is
 * none; no key is created.
 */
export async function readMasterKeyOption(
  terminal: Terminal,
  given: { readonly masterKeyFile?: string; readonly dataDir: string | null },
): Promise<MasterKeys | null> {
  const { masterKeyFile, dataDir } = given;
  if (masterKeyFile !== undefined && !existsSync(masterKeyFile)) {
    throw usageError(`there is no file ${masterKeyFile} with a master key`);
  }
  const { readMasterKeys } = await import("@propgate/server");
  const inFolder = dataDir === null ? null : join(dataDir, "master.key");
  return readMasterKeys({
    configured:
      masterKeyFile === undefined ? await readSecretSetting(terminal, "PROPGATE_MASTER_KEY") : null,
    file: masterKeyFile ?? inFolder,
  }).catch((cause: unknown) => {
    // An invalid key file, or one that other users can read, is a usage error of this command.
    const isMasterKeyError = cause instanceof Error && cause.name === "CannotStart";
    throw isMasterKeyError ? startupError(cause, EXIT.usage) : cause;
  });
}
