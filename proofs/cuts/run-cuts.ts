import { createClient, type OrderOutcome, type OrderRequest } from "@propgate/sdk";
import { createSeededChance } from "../../packages/base/src/random.ts";
import { openHarness } from "../../packages/server/src/testing/harness.ts";
import { type ByteCuttingProxy, openByteCuttingProxy } from "./byte-cutting-proxy.ts";
import { createRunChoices } from "./draw-cuts.ts";
import { type CutsFindings, inspectOrders, type PlacedOrder } from "./inspect-orders.ts";

/** The result of a run: its counts, and the differences from the journal. */
export interface CutsResult extends CutsFindings {
  readonly seed: string;
  readonly orders: number;
  /** Orders whose exchange was cut at least once. */
  readonly cutOrders: number;
  /** All cuts, including those of the client's later requests. */
  readonly cuts: number;
  readonly fates: Readonly<Record<OrderOutcome["fate"], number>>;
  /** Orders whose nonce the client withdrew before the request arrived. */
  readonly withdrawn: number;
}

/** After this many orders a minute passes, which renews the budget for reads of receipts. The price stays the same. */
const ORDERS_PER_MINUTE = 4;
const MINUTE_MS = 60_000;

/**
 * Places orders over a connection that is cut at random bytes in either direction, until `cuts` orders
 * have been cut, and compares the client's result for each order with the journal of the service.
 */
export async function runCuts(plan: {
  readonly cuts: number;
  readonly seed: string;
  readonly onCut?: (cut: number) => void;
}): Promise<CutsResult> {
  const service = await openHarness({ seed: plan.seed });
  const line = await openByteCuttingProxy(service.port);
  const draw = createRunChoices(createSeededChance(plan.seed));
  const client = createClient({
    ...service.signer,
    baseUrl: `http://127.0.0.1:${line.port}`,
    now: () => service.time.clock.now(),
    newNonce: () => draw.nonce(),
    timeoutMs: 5000,
    settling: { attempts: 12, firstWaitMs: 5, longestWaitMs: 200 },
  });
  const placed: PlacedOrder[] = [];
  let cutOrders = 0;
  let cuts = 0;
  const minute = async (): Promise<void> => {
    await service.pass(MINUTE_MS);
    await service.quote("BTCUSD", 50_000, 50_000);
  };
  const place = async (order: OrderRequest): Promise<void> => {
    placed.push({ order, outcome: await client.placeOrder(order) });
  };
  try {
    await minute();
    const size = await bytesOfOneOrder(line, () => place(draw.order()));
    while (cutOrders < plan.cuts) {
      if (placed.length % ORDERS_PER_MINUTE === 0) await minute();
      line.plan(draw.cuts(size));
      await place(draw.order());
      const happened = line.cancelPlan();
      cuts += happened;
      if (happened === 0) continue;
      cutOrders += 1;
      plan.onCut?.(cutOrders);
    }
    await line.settled();
    await minute();
    const findings = await inspectOrders(service, placed);
    const count = (fate: OrderOutcome["fate"]): number =>
      placed.filter(({ outcome }) => outcome.fate === fate).length;
    return {
      seed: plan.seed,
      orders: placed.length,
      cutOrders,
      cuts,
      fates: {
        accepted: count("accepted"),
        rejected: count("rejected"),
        unknown: count("unknown"),
      },
      withdrawn: placed.filter(({ outcome }) =>
        outcome.evidence.some(({ kind }) => kind === "nonceWithdrawn"),
      ).length,
      ...findings,
    };
  } finally {
    await line.close();
    await service.close();
  }
}

/** Places one order and returns the bytes that passed in each direction. */
async function bytesOfOneOrder(
  line: ByteCuttingProxy,
  place: () => Promise<void>,
): Promise<ByteCuttingProxy["passedBytes"]> {
  const before = { ...line.passedBytes };
  await place();
  return {
    toService: line.passedBytes.toService - before.toService,
    toClient: line.passedBytes.toClient - before.toClient,
  };
}
