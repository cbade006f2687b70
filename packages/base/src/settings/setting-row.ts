/** A setting: its variables, its description, its default and its parser. */
export interface SettingRow<Value> {
  readonly variable: string;
  /**
   * The variable that names a file with the value, as an alternative to `variable`. Only secrets have one, and they
   * have no flag.
   */
  readonly fileVariable?: string;
  readonly about: string;
  readonly fallback: Value;
  /** Returns the value, or a problem that continues a sentence with the name of the setting: "must be …". */
  readonly parse: (text: string) => { readonly value: Value } | { readonly problem: string };
}

/** Makes a row of a setting; it only gives the row its type. */
export function settingRow<Value>(row: SettingRow<Value>): SettingRow<Value> {
  return row;
}

/**
 * The row of a secret, which is given in its variable or in the file that `<variable>_FILE` names. Its problems never
 * repeat the secret.
 */
export function secretSettingRow(
  row: Omit<SettingRow<string | null>, "fallback" | "fileVariable">,
): SettingRow<string | null> {
  return { ...row, fileVariable: `${row.variable}_FILE`, fallback: null };
}
