import { LOOPBACK_BLOCKS } from "@propgate/base";
import type { LiveSource } from "../live-source.ts";
import type { OpenSourceDependencies } from "../registry.ts";
import { createPushSource, PUSH_LISTEN } from "./push-source.ts";
import { pushablePairs } from "./pushed-quote.ts";

/** Opens the source of the firm's own prices, for the instruments whose plan names `push`. */
export async function openPush(around: OpenSourceDependencies): Promise<LiveSource> {
  const { settings, instruments } = around;
  return createPushSource({
    ...around,
    listen: settings.pushListen ?? PUSH_LISTEN,
    token: settings.pushToken,
    brand: settings.brand,
    exempt: [...LOOPBACK_BLOCKS, ...settings.trustedProxies],
    pairs: pushablePairs(instruments),
  });
}
