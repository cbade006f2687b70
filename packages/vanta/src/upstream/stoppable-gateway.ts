import type { Literal } from "../python-literal.ts";
import type { Gateway, UpstreamResult } from "./port.ts";

/** A gateway whose calls under way can be given up. */
export interface StoppableGateway extends Gateway {
  /** Ends the wait of every order under way. The fate of these orders is unknown then. */
  giveUp(): void;
}

/** Wraps a gateway so that its calls under way can be given up. */
export function createStoppableGateway(gateway: Gateway): StoppableGateway {
  let giveUp: () => void = () => undefined;
  const givenUp = new Promise<UpstreamResult<Literal>>((resolve) => {
    giveUp = () => resolve(GIVEN_UP);
  });
  return {
    submit: (body, timeoutMs, trace) =>
      Promise.race([gateway.submit(body, timeoutMs, trace), givenUp]),
    status: (orderUuid) => gateway.status(orderUuid),
    health: () => gateway.health(),
    giveUp: () => giveUp(),
  };
}

const GIVEN_UP: UpstreamResult<Literal> = {
  ok: false,
  failure: { kind: "unreachable", wasSent: true, why: "the service was stopped" },
};
