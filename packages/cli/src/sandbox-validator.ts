import type { SandboxValidator } from "@propgate/server";
import { openStandIn } from "@propgate/stand-in";

/** Opens a stand-in for a validator in this process, for a sandbox. */
export async function openSandboxValidator(): Promise<{
  readonly validator: SandboxValidator;
  stop(): Promise<void>;
}> {
  const standIn = await openStandIn();
  const { validatorUrl, gatewayUrl, keys, entity, control } = standIn;
  const pairs = await tradablePairs(validatorUrl, keys.validator);
  return {
    validator: {
      validator: { url: validatorUrl, key: keys.validator },
      gateway: { url: gatewayUrl, key: keys.gateway },
      entity,
      hasPair: (pair) => pairs.has(pair),
      async setPrices(quotes) {
        await control.setPrices(
          Object.fromEntries(quotes.map(({ pair, bid, ask }) => [pair, { bid, ask }])),
        );
      },
      async openSubaccount({ size }) {
        const { hotkey } = await control.addSubaccount({
          accountSize: size,
          assetClass: "all_markets",
          criteria: "static",
        });
        return hotkey;
      },
    },
    stop: () => standIn.close(),
  };
}

/** The ids of the pairs that the validator trades. */
async function tradablePairs(url: string, key: string): Promise<ReadonlySet<string>> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/trade-pairs`, { headers });
  const { allowed } = (await response.json()) as {
    readonly allowed: readonly { readonly trade_pair_id: string }[];
  };
  return new Set(allowed.map((pair) => pair.trade_pair_id));
}
