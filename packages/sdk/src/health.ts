import { UnexpectedAnswerError } from "./errors.ts";
import { type Connection, retryAfterMs, sendUnsigned } from "./send.ts";

/** The public health of a service. */
export interface Health {
  /** False while the service has a problem, so that reads and orders may fail. */
  readonly isWell: boolean;
  /** The service's complete answer. */
  readonly about: Readonly<Record<string, unknown>>;
}

const HEALTH_PATH = "/health";

/**
 * Reads the health of the service. A service with a problem answers 200 too; any other status, or a body without a
 * `status`, is an UnexpectedAnswerError.
 */
export async function readHealth(connection: Connection): Promise<Health> {
  const { status, body, headers } = await sendUnsigned(connection, HEALTH_PATH);
  if (status !== 200 || typeof body?.status !== "string") {
    throw new UnexpectedAnswerError(status, retryAfterMs(headers));
  }
  return { isWell: body.status === "ok", about: body };
}
