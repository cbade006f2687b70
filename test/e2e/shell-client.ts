import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../source-tree.ts";

const run = promisify(execFile);

export interface ShellClient {
  get(target: string): Promise<unknown>;
  order(trade: unknown): Promise<unknown>;
}

/** A client that signs and sends with the shell signer, which needs only sh, openssl and curl. */
export function createShellClient(need: {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
}): ShellClient {
  const env = {
    PATH: process.env.PATH,
    PROPGATE_KEY_ID: need.keyId,
    PROPGATE_SECRET: need.secret,
    PROPGATE_BASE_URL: need.baseUrl,
  };
  const send = async (...words: readonly string[]): Promise<unknown> => {
    const script = join(ROOT, "examples/curl/propgate-curl.sh");
    const { stdout } = await run("sh", [script, ...words], { env });
    return JSON.parse(stdout);
  };
  return {
    get: (target) => send("GET", target),
    order: (trade) => send("POST", "/api/v1/trading/orders", JSON.stringify({ trade })),
  };
}
