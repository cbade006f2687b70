import { OPERATOR_TOKEN } from "../../packages/server/src/testing/harness.ts";
import { envelopeDataOf } from "./clients.ts";
import type { NodeAnswer, NodeRequest } from "./node/simulated-node.ts";

/** A call of the operator's interface, with the effect of its answer on the run. */
export interface OperatorTask {
  readonly request: NodeRequest;
  /**
   * True when the nodes show different prices for a while: a node learns of a choice that another node made only in its
   * next housekeeping.
   */
  readonly disturbs: boolean;
  /** True when every node has to know of the call within ten seconds. Time may not jump ahead before that. */
  readonly isForAllNodes: boolean;
  receive(answer: NodeAnswer): void;
}

/** A call of the operator. `receive` is called with the `data` of an answer of 200. */
export function createOperatorTask(
  method: NodeRequest["method"],
  path: string,
  given: { readonly body?: unknown; readonly receive?: (data: unknown) => void },
): OperatorTask {
  return {
    request: {
      method,
      target: `/operator/v1${path}`,
      headers: {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
        ...(given.body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: given.body === undefined ? "" : JSON.stringify(given.body),
    },
    disturbs: false,
    isForAllNodes: false,
    receive({ status, text }) {
      if (status === 200) given.receive?.(envelopeDataOf(JSON.parse(text)));
    },
  };
}
