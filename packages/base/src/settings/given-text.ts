import { readSecretFile } from "../secret-file.ts";
import type { SettingRow } from "./setting-row.ts";

/** The text of a setting, and the variable that it comes from. */
export interface GivenText {
  /** Empty when the setting is absent or unusable. */
  readonly given: string;
  readonly where: string;
  /** Names the variable; never repeats a secret. */
  readonly problem: string | null;
}

/** Reads a setting from its variable, or from the file that the variable with `_FILE` names. */
export function givenText(
  environment: Readonly<Record<string, string | undefined>>,
  { variable, fileVariable }: Pick<SettingRow<unknown>, "variable" | "fileVariable">,
): GivenText {
  const given = environment[variable] ?? "";
  const file = fileVariable === undefined ? "" : (environment[fileVariable] ?? "");
  if (fileVariable === undefined || file === "") return { given, where: variable, problem: null };
  const where = fileVariable;
  if (given !== "") return { given: "", where, problem: `${where} and ${variable} are both set` };
  const read = readSecretFile(file);
  return "problem" in read
    ? { given: "", where, problem: `${where}: ${read.problem}` }
    : { given: read.text, where, problem: null };
}
