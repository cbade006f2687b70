import type { OrderOutcome, OrderRequest } from "@propgate/sdk";
import { createJournalDesk } from "../../packages/ledger/src/trading/journal/journal-desk.ts";
import { CATALOGUE, type Harness } from "../../packages/server/src/testing/harness.ts";

/** An order and the client's result for it. */
export interface PlacedOrder {
  readonly order: OrderRequest;
  readonly outcome: OrderOutcome;
}

/** The differences between the client's results and the journal; every list must be empty. */
export interface CutsFindings {
  /** Nonces under which the journal has more than one fill or new pending entry. */
  readonly doubled: readonly string[];
  /** Nonces of orders reported as accepted whose order id the journal does not have under the nonce. */
  readonly notAccepted: readonly string[];
  /** Nonces of orders reported as rejected under which the journal has events. */
  readonly notRejected: readonly string[];
  /** Nonces of orders whose fate the client could not find. */
  readonly unknown: readonly string[];
  /** One text `answered / held` when the sum of the answered fills differs from the lots of all positions. */
  readonly differentPositions: readonly string[];
  readonly brokenChains: readonly string[];
}

/** Matches the text of an event that fills an order or places a pending entry. */
const NEW_ORDER = /"type":"order(Filled|Placed)"/;

/** Compares the client's results with the journal and the positions of the service. */
export async function inspectOrders(
  service: Harness,
  placed: readonly PlacedOrder[],
): Promise<CutsFindings> {
  const rows = await service.database.query<{ readonly nonce: string; readonly event: string }>(
    "select nonce, journal_text(event) as event from journal where nonce is not null",
    [],
  );
  const events = Map.groupBy(rows, ({ nonce }) => nonce);
  const made = ({ outcome }: PlacedOrder): readonly string[] =>
    (events.get(outcome.nonce) ?? [])
      .map(({ event }) => event)
      .filter((one) => NEW_ORDER.test(one));
  const nonces = (wrong: (one: PlacedOrder) => boolean): readonly string[] =>
    placed.filter(wrong).map(({ outcome }) => outcome.nonce);
  const journal = createJournalDesk(service.database, CATALOGUE);
  return {
    doubled: nonces((one) => made(one).length > 1),
    notAccepted: nonces(
      (one) => one.outcome.fate === "accepted" && !agreesWithJournal(one, made(one)),
    ),
    notRejected: nonces(({ outcome }) => outcome.fate === "rejected" && events.has(outcome.nonce)),
    unknown: nonces(({ outcome }) => outcome.fate === "unknown"),
    differentPositions: await differentPositions(service, placed),
    brokenChains: (await journal.verify("all")).broken.map((one) => one.accountId),
  };
}

/**
 * True when the journal has the answered order under its nonce. A cancellation is correct when the journal has no new
 * order under its nonce.
 */
function agreesWithJournal({ order, outcome }: PlacedOrder, made: readonly string[]): boolean {
  if (order.trade.execution_type === "LIMIT_CANCEL") return made.length === 0;
  if (outcome.fate !== "accepted" || outcome.result === null) return false;
  return made[0]?.includes(outcome.result.order_uuid) ?? false;
}

async function differentPositions(
  service: Harness,
  placed: readonly PlacedOrder[],
): Promise<readonly string[]> {
  const bought = placed.map(({ outcome }) => {
    const order = outcome.fate === "accepted" ? (outcome.result?.order ?? null) : null;
    return order?.filled === true ? (order.quantity ?? 0) : 0;
  });
  const { data } = (await service.get("positions")).json() as {
    readonly data: readonly { readonly netQuantity: number | null }[];
  };
  const rounded = (lots: number): string => lots.toFixed(8);
  const answered = rounded(bought.reduce((sum, one) => sum + one, 0));
  const held = rounded(data.reduce((sum, one) => sum + (one.netQuantity ?? 0), 0));
  return answered === held ? [] : [`${answered} / ${held}`];
}
