import { type AccountId, accountId } from "@propgate/core";
import { type NewSubaccount, openStandIn, type StandIn } from "@propgate/stand-in";
import { type Harness, type HarnessOptions, OWNER, openHarness } from "./harness.ts";
import { createOperatorClient, type OperatorClient } from "./operator-client.ts";
import type { Signer } from "./signed-request.ts";

/** A whole service in this process with a stand-in of a validator behind it, over real HTTP. */
export interface LinkedService {
  readonly harness: Harness;
  readonly standIn: StandIn;
  readonly operator: OperatorClient;
  /** Adds a subaccount, links it to an account of `OWNER`, and makes a key of the account. */
  newLinked(subaccount?: NewSubaccount): Promise<LinkedTestAccount>;
  close(): Promise<void>;
}

export interface LinkedTestAccount {
  readonly accountId: AccountId;
  readonly hotkey: string;
  readonly signer: Signer;
}

export async function openLinkedService(options: HarnessOptions = {}): Promise<LinkedService> {
  const standIn = await openStandIn({ seed: 1 });
  const { validatorUrl, gatewayUrl, keys, entity } = standIn;
  const harness = await openHarness({
    ...options,
    vanta: {
      validator: { url: validatorUrl, key: keys.validator },
      gateway: { url: gatewayUrl, key: keys.gateway },
      entity,
    },
  });
  const operator = createOperatorClient(harness);
  return {
    harness,
    standIn,
    operator,
    async newLinked(subaccount = {}) {
      const { hotkey } = await standIn.control.addSubaccount(subaccount);
      const body = { subaccount: hotkey, ownerId: OWNER, profitSplitPercent: 80 };
      const linked = await operator.data("POST", "/accounts/link", body);
      const id = accountId(String(linked.accountId));
      return { accountId: id, hotkey, signer: await harness.newKey({ accountId: id }) };
    },
    async close() {
      await harness.close();
      await standIn.close();
    },
  };
}
