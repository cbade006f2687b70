import { existsSync } from "node:fs";
import { join } from "node:path";
import type { MasterKeys } from "@propgate/server";
import { usageError } from "./cli-error.ts";
import { cannotStart } from "./start-failure.ts";
import type { Terminal } from "./terminal.ts";

export const MASTER_KEY_OPTION = [
  "--master-key-file <path>",
  "file with the master key (PROPGATE_MASTER_KEY, or master.key in the data folder)",
] as const;

/**
 * The master key as the service finds it, but that a file named on the command line counts first; null
 * when there is none. Nothing is made.
 */
export async function readMasterKeyOption(
  { env }: Terminal,
  given: { readonly masterKeyFile?: string; readonly dataDir: string | null },
): Promise<MasterKeys | null> {
  const { masterKeyFile, dataDir } = given;
  if (masterKeyFile !== undefined && !existsSync(masterKeyFile)) {
    throw usageError(`there is no file ${masterKeyFile} with a master key`);
  }
  const { readMasterKeys } = await import("@propgate/server");
  const inFolder = dataDir === null ? null : join(dataDir, "master.key");
  return readMasterKeys({
    configured: masterKeyFile === undefined ? (env.PROPGATE_MASTER_KEY ?? null) : null,
    file: masterKeyFile ?? inFolder,
  }).catch((cause: unknown) => {
    throw cannotStart(cause);
  });
}
