import type { RunningSandbox } from "../start/running-service.ts";
import { createControlClient } from "./control-client.ts";
import { type Reply, sendRequest, signedHeaders } from "./signed-request.ts";

/** The control plane and the signed API of a sandbox, called with nonces and times that are the same in every run. */
export interface SandboxClient {
  readonly control: ReturnType<typeof createControlClient>;
  readonly get: (endpoint: string, nonce?: string) => Promise<Reply>;
  readonly order: (trade: unknown, nonce?: string) => Promise<Reply>;
  readonly preview: (trade: unknown) => Promise<Reply>;
}

/** Opens the client of a sandbox. `nowMs` reads the sandbox's clock. */
export function createSandboxClient(sandbox: RunningSandbox, nowMs: () => number): SandboxClient {
  const { port, hostname: host } = new URL(sandbox.ready.baseUrl);
  let nonces = 0;
  const call = (method: "GET" | "POST", given: { path: string; body: string; nonce?: string }) => {
    nonces += 1;
    const { path, body, nonce = `nonce-${nonces}` } = given;
    const timestamp = String(nowMs());
    const headers = {
      ...signedHeaders(sandbox.ready, { method, target: path, body, timestamp, nonce }),
      ...(body === "" ? {} : { "Content-Type": "application/json" }),
    };
    return sendRequest({ host, port, method, path, headers }, body);
  };
  return {
    control: createControlClient(sandbox),
    get: (endpoint, nonce) => {
      const path = `/api/v1/trading/${endpoint}`;
      return call("GET", { path, body: "", ...(nonce === undefined ? {} : { nonce }) });
    },
    order: (trade, nonce) => {
      const body = JSON.stringify({ trade });
      const path = "/api/v1/trading/orders";
      return call("POST", { path, body, ...(nonce === undefined ? {} : { nonce }) });
    },
    preview: (trade) =>
      call("POST", { path: "/api/v1/trading/preview", body: JSON.stringify({ trade }) }),
  };
}
