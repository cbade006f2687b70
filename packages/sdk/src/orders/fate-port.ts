import type { ServiceClock } from "../clock.ts";
import { sendRead } from "../read.ts";
import { type Connection, send } from "../send.ts";

/** The means with which a settlement reaches the service: signed reads, and the clock whose time is signed. */
export interface FatePort {
  /**
   * Sends `GET target` and returns its `data`. With a nonce the read is sent once, with that nonce; with null it has a
   * new nonce. Throws a PropgateError, which is a RejectedError for every error of the service.
   */
  read<Data>(target: string, nonce: string | null): Promise<Data>;
  readonly clock: Pick<ServiceClock, "now" | "own">;
}

/** The reads and the clock of a settlement over this connection. */
export function createFatePort(connection: Connection): FatePort {
  const { clock } = connection;
  return {
    clock,
    read: (target, nonce) =>
      nonce === null
        ? sendRead(connection, { method: "GET", target })
        : send(connection, { method: "GET", target, nonce }),
  };
}
