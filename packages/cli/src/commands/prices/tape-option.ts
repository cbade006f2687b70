import type { Command } from "commander";
import type { Terminal } from "../../terminal.ts";

export interface TapeOptions {
  readonly tape?: string;
  readonly dataDir?: string;
}

/** Adds the options that name the folder of a tape. */
export function addTapeOptions(command: Command): Command {
  return command
    .option("--tape <dir>", "the recording's folder (the folder tape of the data folder)")
    .option("--data, --data-dir <dir>", "the service's data folder (data)");
}

/** The data folder that the options or the environment name; `data` when neither does. */
export function dataDirOf(terminal: Terminal, { dataDir }: TapeOptions): string {
  return dataDir ?? terminal.env.PROPGATE_DATA_DIR ?? "data";
}

/** The folder of the tape that the options name. */
export async function tapeFolderOf(terminal: Terminal, options: TapeOptions): Promise<string> {
  const { tapeFolder } = await import("@propgate/server");
  return options.tape ?? tapeFolder(dataDirOf(terminal, options));
}
