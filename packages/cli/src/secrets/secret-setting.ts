import { CliError, EXIT } from "../cli-error.ts";
import type { Terminal } from "../terminal.ts";

/** The secret settings of the service that commands read too. */
export type SecretVariable =
  | "PROPGATE_DATABASE_URL"
  | "PROPGATE_DATABASE_URLS"
  | "PROPGATE_MIGRATION_DATABASE_URL"
  | "PROPGATE_MIGRATION_DATABASE_URLS"
  | "PROPGATE_MASTER_KEY"
  | "PROPGATE_OPERATOR_TOKEN";

/**
 * The secret in the variable, or in the file that the variable with `_FILE` names, as the service reads it. Null when
 * neither is set. Throws CliError when the file cannot be used.
 */
export async function readSecretSetting(
  { env }: Pick<Terminal, "env">,
  variable: SecretVariable,
): Promise<string | null> {
  const fileVariable = `${variable}_FILE`;
  const direct = env[variable] || null;
  // The service's code takes long to load, and most commands do not need it.
  if ((env[fileVariable] ?? "") === "") return direct;
  const { readSettingText } = await import("@propgate/server");
  const { text, problem } = readSettingText(env, { variable, fileVariable });
  if (problem === null) return text;
  throw new CliError({ message: problem, fix: null, exitCode: EXIT.usage });
}
