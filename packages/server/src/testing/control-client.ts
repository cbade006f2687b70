import type { RunningSandbox } from "../start/running-service.ts";

export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Makes a function that calls a sandbox's control plane over HTTP, as a test author would. */
export function createControlClient({ ready }: RunningSandbox) {
  return async (method: Method, path: string, body?: unknown): Promise<ControlAnswer> => {
    const response = await fetch(`${ready.controlUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${ready.controlToken}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
}

type Method = "GET" | "POST" | "DELETE";
