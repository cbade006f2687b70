import type { AccountId } from "@propgate/core";
import { type Harness, START_MS } from "./harness.ts";
import type { Signer } from "./signed-request.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** 2026-01-05, 00:00 UTC. */
const MONDAY_MS = START_MS - DAY_MS / 2;
const LONG = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 1,
};

/** Opens a funded account that earns in each of that many weeks, and moves time past them. Resolves with its key. */
export async function openEarningTrader(
  service: Harness,
  weeks: number,
): Promise<{ readonly accountId: AccountId; readonly signer: Signer }> {
  const accountId = await service.newAccount();
  const signer = await service.newKey({ accountId });
  await service.accounts.promote(accountId);
  for (let week = 0; week < weeks; week += 1) {
    await service.quote("BTCUSD", 50_000, 50_000);
    await service.order(LONG, { signer });
    await service.quote("BTCUSD", 51_000, 51_000);
    await service.order({ execution_type: "FLAT_ALL" }, { signer });
    const into = (service.time.clock.now() - MONDAY_MS) % WEEK_MS;
    await service.pass(WEEK_MS - into);
  }
  return { accountId, signer };
}
