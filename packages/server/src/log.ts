import { type Logger, pino } from "pino";

export type Log = Logger;

/**
 * The service's only writer of standard output. Secrets and signatures are cut out wherever a
 * careless caller puts them; stacks stay in the log and never reach a client.
 */
export function openLog(level: string): Log {
  return pino({
    level,
    base: null,
    redact: {
      paths: ["secret", "*.secret", "token", "*.token", "authorization", "headers.*", "signature"],
      censor: "[redacted]",
    },
  });
}
