import { CliError, EXIT } from "../cli-error.ts";
import type { Terminal } from "../terminal.ts";

/** The settings of the service that commands read too and that are secret. */
export type SecretVariable =
  | "PROPGATE_DATABASE_URL"
  | "PROPGATE_DATABASE_URLS"
  | "PROPGATE_MIGRATION_DATABASE_URL"
  | "PROPGATE_MIGRATION_DATABASE_URLS"
  | "PROPGATE_MASTER_KEY"
  | "PROPGATE_OPERATOR_TOKEN";

/**
 * The secret in the variable, or in the file that the variable with `_FILE` names, as the service reads it. Null when
 * neither is set.
 */
export async function givenSecret(
  { env }: Pick<Terminal, "env">,
  variable: SecretVariable,
): Promise<string | null> {
  const fileVariable = `${variable}_FILE`;
  const direct = env[variable] || null;
  // Most commands need nothing of the service, which takes long to load.
  if ((env[fileVariable] ?? "") === "") return direct;
  const { givenText } = await import("@propgate/server");
  const { given, problem } = givenText(env, { variable, fileVariable });
  if (problem === null) return given;
  throw new CliError({ message: problem, fix: null, exitCode: EXIT.usage });
}
