import ccxt, { type Exchange } from "ccxt";
import type { Harness } from "../../../server/src/testing/harness.ts";
import type { Signer } from "../../../server/src/testing/signed-request.ts";
import { propgateIn } from "../propgate.ts";

/** The key, address and ccxt options of an exchange in a test. */
export interface LiveOptions {
  readonly signer?: Signer;
  /** Another address for the service, such as that of a proxy that cuts connections. */
  readonly url?: string;
  readonly timeout?: number;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** The exchange as a bot creates it, for a service in this process and with that service's clock. */
export function createLiveExchange(service: Harness, given: LiveOptions = {}): Exchange {
  const Propgate = propgateIn(ccxt);
  const { keyId, secret } = given.signer ?? service.signer;
  return new Propgate({
    apiKey: keyId,
    secret,
    urls: { api: given.url ?? `http://127.0.0.1:${service.port}` },
    timeout: given.timeout ?? 5_000,
    options: { adjustForTimeDifference: true, ...given.options },
  });
}
