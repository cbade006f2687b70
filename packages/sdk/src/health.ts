import { UnexpectedAnswerError } from "./errors.ts";
import { ask, type Connection } from "./send.ts";

/** What anybody may know of a service's condition. */
export interface Health {
  /** False: reads may fail and orders with them. */
  readonly isWell: boolean;
  /** Everything that the service says of it, such as how old its prices are. */
  readonly about: Readonly<Record<string, unknown>>;
}

const HEALTH_PATH = "/health";

/** A service that is not well says so with a 503, which is an answer like the other. */
export async function readHealth(connection: Connection): Promise<Health> {
  const { status, body } = await ask(connection, HEALTH_PATH);
  if (body === null || typeof body.status !== "string") throw new UnexpectedAnswerError(status);
  return { isWell: status === 200, about: body };
}
