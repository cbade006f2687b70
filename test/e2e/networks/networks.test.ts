/** Runs one list of reads and orders over the signed API, on accounts of every network. */
import { beforeAll, describe, test } from "vitest";
import { openEmbeddedTraders } from "./embedded-traders.ts";
import { openLinkedTraders } from "./linked-traders.ts";
import type { TradersOfNetwork } from "./network-case.ts";
import { ORDER_CASES } from "./order-cases.ts";
import { READ_CASES } from "./read-cases.ts";
import { REFUSAL_CASES } from "./refusal-cases.ts";

const OPEN = { embedded: openEmbeddedTraders, vanta: openLinkedTraders } as const;
const CASES = [...READ_CASES, ...ORDER_CASES, ...REFUSAL_CASES];

describe.each(["embedded", "vanta"] as const)("an account on the network %s", (network) => {
  let traders: TradersOfNetwork;
  beforeAll(async () => {
    traders = await OPEN[network]();
    return () => traders.close();
  });

  test.each(CASES.filter(({ cannot }) => cannot?.[network] === undefined))(
    "$title",
    async ({ run, ...options }) => run(await traders.open(options)),
  );

  const missing = CASES.flatMap(({ title, cannot }) => {
    const no = cannot?.[network];
    return no === undefined ? [] : [{ title, reason: no.reason, says: no.says }];
  });
  test.each(missing)("an account cannot do this, because $reason: $title", async ({ says }) =>
    says(await traders.open({})),
  );
});
