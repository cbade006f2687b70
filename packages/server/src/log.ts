import { passwordsOf, redactor } from "@propgate/contract";
import { type Logger, pino } from "pino";
import type { MasterKeys } from "./keys/master-key.ts";

export type Log = Logger;

/**
 * The service's only writer of standard output. Secrets and signatures are cut out wherever a
 * careless caller puts them: by the field's name, and out of every finished line by their form and
 * by what is known to be `secrets` here; stacks stay in the log and never reach a client.
 */
export function openLog(
  level: string,
  given: {
    readonly secrets?: readonly string[];
    /** Takes each line; standard output unless given. */
    readonly write?: (line: string) => void;
  } = {},
): Log {
  const { secrets = [], write } = given;
  const options = {
    level,
    base: null,
    redact: {
      paths: ["secret", "*.secret", "token", "*.token", "authorization", "headers.*", "signature"],
      censor: "[redacted]",
    },
    hooks: { streamWrite: redactor(secrets) },
  };
  return write === undefined ? pino(options) : pino(options, { write });
}

/** What of the settings nobody may read in a log. */
export function secretsOf(settings: {
  readonly databaseUrl: string | null;
  readonly masterKeys: MasterKeys;
  readonly operatorToken: string;
}): readonly string[] {
  const keys = [...settings.masterKeys.byVersion.values()].map((key) => Buffer.from(key));
  return [
    settings.operatorToken,
    ...keys.flatMap((key) => [key.toString("base64"), key.toString("hex")]),
    ...(settings.databaseUrl === null ? [] : passwordsOf(settings.databaseUrl)),
  ];
}
