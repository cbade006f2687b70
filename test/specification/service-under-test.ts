import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from "@propgate/contract";
import type { TradingNetwork } from "../../packages/ledger/src/trading/network/port.ts";
import { createSwitchedNetwork } from "../../packages/server/src/testing/endpoint-statuses.suite.ts";
import type { CallOptions } from "../../packages/server/src/testing/harness.ts";
import {
  type LinkedService,
  openLinkedService,
} from "../../packages/server/src/testing/linked-service.ts";
import type { Reply, Signer } from "../../packages/server/src/testing/signed-request.ts";

/** An answer of one of the six endpoints of the specification. */
export interface EndpointReply extends Reply {
  readonly endpoint: EndpointName;
}

/** The one service of the whole suite, with a validator, and every answer that it gave. */
export interface ServiceUnderTest extends LinkedService {
  readonly replies: readonly EndpointReply[];
  /** Sends a valid request to the endpoint, changed by the options. */
  call(
    endpoint: EndpointName,
    options?: CallOptions & { readonly query?: string },
  ): Promise<EndpointReply>;
  /** Sends POST orders with this `trade`. */
  order(trade: unknown, options?: CallOptions): Promise<EndpointReply>;
  /** Makes a new account, and resolves with a key of it. */
  newSigner(): Promise<Signer>;
  /** Does the work while `network` replaces the trading network. */
  during<Value>(network: TradingNetwork, work: () => Promise<Value>): Promise<Value>;
}

/** The endpoints of the specification whose method is GET. */
export const READ_ENDPOINTS: readonly EndpointName[] = ENDPOINT_NAMES.filter(
  (name) => ENDPOINTS[name].method === "GET",
);

/** An order that has no effect on an account without pending orders. */
const SOUND_ORDER = { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" };

export async function openServiceUnderTest(): Promise<ServiceUnderTest> {
  let replacement: TradingNetwork | null = null;
  const service = await openLinkedService({
    wrap: (network) => createSwitchedNetwork(() => replacement ?? network),
  });
  const { harness } = service;
  const replies: EndpointReply[] = [];
  const call: ServiceUnderTest["call"] = async (endpoint, { query = "", ...options } = {}) => {
    const { method, path } = ENDPOINTS[endpoint];
    const body = method === "POST" ? JSON.stringify({ trade: SOUND_ORDER }) : "";
    const reply = await harness.call(path + query, { method, body, ...options });
    const answer = { ...reply, endpoint };
    replies.push(answer);
    return answer;
  };
  return {
    ...service,
    replies,
    call,
    order: (trade, options) => call("placeOrder", { body: JSON.stringify({ trade }), ...options }),
    newSigner: async () => harness.newKey({ accountId: await harness.newAccount() }),
    async during(network, work) {
      replacement = network;
      try {
        return await work();
      } finally {
        replacement = null;
      }
    },
  };
}
