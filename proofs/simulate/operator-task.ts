import { OPERATOR_TOKEN } from "../../packages/server/src/testing/harness.ts";
import { dataOf } from "./clients.ts";
import type { NodeAnswer, NodeRequest } from "./node/simulated-node.ts";

/** A call of the operator's interface, with the effect of its answer on the clients. */
export interface OperatorTask {
  readonly request: NodeRequest;
  /** Whether the nodes show different prices for a while: one learns of the other's choice by its housekeeping. */
  readonly disturbs: boolean;
  /** Whether every node has to know of it within ten seconds, so that time may not jump before. */
  readonly isForAllNodes: boolean;
  receive(answer: NodeAnswer): void;
}

export function operatorTask(
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
      if (status === 200) given.receive?.(dataOf(JSON.parse(text)));
    },
  };
}
