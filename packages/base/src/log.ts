import { createRedactor } from "@propgate/contract";
import { type Logger, pino } from "pino";

/** The service's log, a logger of pino. */
export type Log = Logger;

/**
 * Opens the service's log. It removes secrets and signatures that a caller logs by mistake: fields by their name, and
 * in each finished line texts by their form and by the known `secrets`. Stacks are only in the log and never reach a
 * client.
 */
export function openLog(
  level: string,
  given: {
    readonly secrets?: readonly string[];
    /** Receives each line; standard output when absent. */
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
    hooks: { streamWrite: createRedactor(secrets) },
  };
  return write === undefined ? pino(options) : pino(options, { write });
}
