import { redactor } from "@propgate/contract";
import { type Logger, pino } from "pino";

export type Log = Logger;

/**
 * The service's only writer of standard output. Removes secrets and signatures that a caller logs by mistake:
 * by field name, and in each finished line by their form and by the known `secrets`. Stacks stay in the log and
 * never reach a client.
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
