export interface SettingRow<Value> {
  readonly variable: string;
  /** The variable that names a file with the value instead; only secrets have one, and no flag. */
  readonly fileVariable?: string;
  readonly about: string;
  readonly fallback: Value;
  /** The value, or a problem that continues the setting's name: "must be …". */
  readonly parse: (text: string) => { readonly value: Value } | { readonly problem: string };
}

export function setting<Value>(row: SettingRow<Value>): SettingRow<Value> {
  return row;
}

/** A secret: from its variable, or from the file that `<variable>_FILE` names. Its problems never repeat it. */
export function secretSetting(
  row: Omit<SettingRow<string | null>, "fallback" | "fileVariable">,
): SettingRow<string | null> {
  return { ...row, fileVariable: `${row.variable}_FILE`, fallback: null };
}
