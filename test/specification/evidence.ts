import { isRecord, OPENAPI_PATH } from "@propgate/contract";
import { type LiveStates, liveStates } from "./eight-states.ts";
import { type MeasuredLimits, measureLimits } from "./measured-limits.ts";
import { moveOrders, type OrderMoves } from "./order-moves.ts";
import { type ProvokedErrors, provokeErrors } from "./provoked-errors.ts";
import type { EndpointReply, ServiceUnderTest } from "./service-under-test.ts";

/** Everything that the service published and answered, with which the document is compared. */
export interface Evidence {
  readonly live: LiveStates;
  readonly openApi: Readonly<Record<string, unknown>>;
  readonly errors: ProvokedErrors;
  readonly moves: OrderMoves;
  readonly limits: MeasuredLimits;
  readonly replies: readonly EndpointReply[];
}

export async function collectEvidence(service: ServiceUnderTest): Promise<Evidence> {
  const { harness } = service;
  const openApi = (await harness.call(OPENAPI_PATH, { signer: null })).json();
  if (!isRecord(openApi)) throw new Error("the description is an object");
  return {
    live: await liveStates(service),
    openApi,
    moves: await moveOrders(service),
    errors: await provokeErrors(service),
    limits: await measureLimits(service),
    replies: service.replies,
  };
}
