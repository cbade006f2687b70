import { randomUUID } from "node:crypto";
import { type AccountId, accountId } from "@propgate/core";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import type { NewLine } from "../../../ledger/src/storage/journal/append-lines.ts";
import type { NewLink } from "../../../ledger/src/storage/rows/linked-account.ts";
import { createLinkedAccountStore } from "../../../ledger/src/storage/stores/network/linked-account-store.ts";
import { TEST_OWNER } from "./counting-decider.ts";
import { TEST_NOON } from "./counting-network.ts";

/** A link of a made subaccount to an account with a new id. */
export function madeAccountLink(given: Partial<NewLink> = {}): NewLink {
  const id = accountId(randomUUID());
  return {
    accountId: id,
    ownerId: TEST_OWNER,
    hotkey: `entity_${id}`,
    subaccountId: 0,
    subaccountUuid: randomUUID(),
    profitSplit: 0.8,
    status: "active",
    linkedAtMs: TEST_NOON,
    ...given,
  };
}

/** The journal line with which the account of a made link is opened. */
export function madeOpeningLine(): NewLine {
  const data = { size: 100_000, provisioned: true };
  const event = JSON.stringify({ type: "accountOpened", observed: true, dueMs: null, data });
  return { origin: "operator", keyId: null, nonce: null, command: "link", event };
}

/** The journal line with which the account of a made link is closed. */
export function madeClosingLine(): NewLine {
  const event = { type: "accountClosed", observed: true, dueMs: null, data: { status: "closed" } };
  return { ...madeOpeningLine(), command: "close", event: JSON.stringify(event) };
}

/** Links a made subaccount to a new account, whose id it returns. */
export async function linkMadeSubaccount(
  database: Database,
  given: Partial<NewLink> = {},
): Promise<AccountId> {
  const link = madeAccountLink(given);
  await createLinkedAccountStore(database).link(link, madeOpeningLine());
  return link.accountId;
}
