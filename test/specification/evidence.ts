import { isRecord, OPENAPI_PATH } from "@propgate/contract";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import { type LiveStates, reachLiveStates } from "./eight-states.ts";
import { type MeasuredLimits, measureLimits } from "./measured-limits.ts";
import { moveOrders, type OrderMoves } from "./order-moves.ts";
import { type ProvokedErrors, provokeErrors } from "./provoked-errors.ts";
import type { EndpointReply, ServiceUnderTest } from "./service-under-test.ts";

/** Everything that the service published and answered. The document is compared with it. */
export interface Evidence {
  readonly live: LiveStates;
  /** The OpenAPI document of a service with its own network alone. */
  readonly openApi: Readonly<Record<string, unknown>>;
  /** The OpenAPI document of a service with a validator. */
  readonly linkedOpenApi: Readonly<Record<string, unknown>>;
  readonly errors: ProvokedErrors;
  readonly moves: OrderMoves;
  readonly limits: MeasuredLimits;
  readonly replies: readonly EndpointReply[];
}

export async function collectEvidence(service: ServiceUnderTest): Promise<Evidence> {
  const own = await openHarness();
  const openApi = await publishedBy(own);
  await own.close();
  return {
    live: await reachLiveStates(service),
    openApi,
    linkedOpenApi: await publishedBy(service.harness),
    moves: await moveOrders(service),
    errors: await provokeErrors(service),
    limits: await measureLimits(service),
    replies: service.replies,
  };
}

async function publishedBy(service: Harness): Promise<Readonly<Record<string, unknown>>> {
  const openApi = (await service.call(OPENAPI_PATH, { signer: null })).json();
  if (!isRecord(openApi)) throw new Error("the description is an object");
  return openApi;
}
