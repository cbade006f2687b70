import { readSecretOrProblem } from "../secret-file.ts";
import type { SettingRow } from "./setting-row.ts";

/** The text of a setting, and the variable from which it comes. */
export interface SettingText {
  /** The text; empty when the setting is absent or cannot be read. */
  readonly text: string;
  /** The variable that has the text, or names the file that has it. */
  readonly variable: string;
  /** The problem, which names the variable and never repeats a secret; null when there is none. */
  readonly problem: string | null;
}

/**
 * Reads the text of a setting from its variable, or from the file that the variable with `_FILE` names. When both
 * variables are set, that is a problem.
 */
export function readSettingText(
  environment: Readonly<Record<string, string | undefined>>,
  { variable, fileVariable }: Pick<SettingRow<unknown>, "variable" | "fileVariable">,
): SettingText {
  const given = environment[variable] ?? "";
  const file = fileVariable === undefined ? "" : (environment[fileVariable] ?? "");
  if (fileVariable === undefined || file === "") return { text: given, variable, problem: null };
  const where = fileVariable;
  if (given !== "")
    return { text: "", variable: where, problem: `${where} and ${variable} are both set` };
  const read = readSecretOrProblem(file);
  return "problem" in read
    ? { text: "", variable: where, problem: `${where}: ${read.problem}` }
    : { text: read.text, variable: where, problem: null };
}
