import { IDEMPOTENCY_HEADER, OPERATOR_PREFIX } from "@propgate/contract";
import { expectOperatorAnswer, expectOperatorRefusal } from "./described-operator-answer.ts";
import { OPERATOR_TOKEN } from "./harness.ts";

export interface OperatorAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

export interface OperatorClient {
  call(
    method: string,
    path: string,
    given?: {
      readonly body?: unknown;
      readonly raw?: string;
      readonly token?: string | null;
      /** The idempotency key of a write. */
      readonly key?: string;
    },
  ): Promise<OperatorAnswer>;
  /** The `data` of an answer that must be 200. */
  data(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** The status and error of an answer that must not be 200. */
  refusal(method: string, path: string, body?: unknown): Promise<readonly [number, unknown]>;
}

/** Calls the operator's interface of a service in this process; every answer is checked against the contract. */
export function createOperatorClient({ port }: { readonly port: number }): OperatorClient {
  const call: OperatorClient["call"] = async (method, path, given = {}) => {
    const token = given.token === undefined ? OPERATOR_TOKEN : given.token;
    const body = given.raw ?? (given.body === undefined ? null : JSON.stringify(given.body));
    const response = await fetch(`http://127.0.0.1:${port}${OPERATOR_PREFIX}${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(given.key === undefined ? {} : { [IDEMPOTENCY_HEADER]: given.key }),
      },
      body,
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (response.status === 200) expectOperatorAnswer(method, path, answer.data);
    else expectOperatorRefusal(method, path, { status: response.status, body: answer });
    return { status: response.status, body: answer, headers: response.headers };
  };
  return {
    call,
    async data(method, path, body) {
      const answer = await call(method, path, { body });
      if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
      return answer.body.data as Record<string, unknown>;
    },
    async refusal(method, path, body) {
      const { status, body: answer } = await call(method, path, { body });
      return [status, answer.error];
    },
  };
}
