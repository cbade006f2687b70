import { startSandbox } from "@propgate/server";

/** The address of a service, and a key that signs requests to it. */
export interface TradingKey {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
}

export interface SandboxAccount extends TradingKey {
  readonly accountId: string;
}

/**
 * A sandbox in this process. Its clock runs, so that requests can be signed with the machine's time, or stays at
 * `startMs`.
 */
export interface AccountSandbox {
  readonly firstKey: TradingKey;
  control(path: string, body: unknown): Promise<unknown>;
  revoke(keyId: string): Promise<void>;
  /** Opens an account of 100,000 with a key of these scopes. This is faster than starting another sandbox. */
  open(scopes?: readonly string[]): Promise<SandboxAccount>;
  stop(): Promise<void>;
}

export async function startAccountSandbox(
  startMs: number | null = null,
  seed = "1",
): Promise<AccountSandbox> {
  const running = await startSandbox({
    port: 0,
    startMs,
    seed,
    clock: startMs === null ? "real" : "frozen",
    dataDir: null,
    networkTimeoutMs: 15_000,
  });
  const { baseUrl, controlUrl, controlToken, keyId: firstId, secret: firstSecret } = running.ready;
  const control = async (path: string, body: unknown, method = "POST"): Promise<unknown> => {
    const response = await fetch(`${controlUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${controlToken}` },
      body: JSON.stringify(body),
    });
    if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  return {
    firstKey: { baseUrl, keyId: firstId, secret: firstSecret },
    control,
    async revoke(keyId) {
      await control(`/keys/${keyId}`, {}, "DELETE");
    },
    async open(scopes = ["trade:read", "trade:place"]) {
      const opened = (await control("/accounts", { size: 100_000 })) as Record<string, string>;
      const { accountId = "" } = opened;
      const made = (await control("/keys", { accountId, scopes })) as Record<string, string>;
      const { keyId = "", secret = "" } = made;
      return { baseUrl, accountId, keyId, secret };
    },
    stop: () => running.stop(),
  };
}
