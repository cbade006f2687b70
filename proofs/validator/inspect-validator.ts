import { setTimeout } from "node:timers/promises";
import type { StandInProcess } from "../../test/stand-in-process.ts";
import type { Mark } from "./draw-orders.ts";
import { type AcceptedContent, type StandInAccount, standInAccounts } from "./stand-in-account.ts";
import { type ReceiptFate, readReceipt, send, type Trader } from "./trader.ts";

/** An order of a run, and the status of its answer; null without an answer. */
export interface Placed {
  readonly trader: Trader;
  readonly pair: string;
  readonly mark: Mark;
  /** The fault that was prepared for it; null for none. */
  readonly fault: string | null;
  readonly nonce: string;
  readonly status: number | null;
  /** The service answered that it could not reach the gateway. */
  readonly isDown: boolean;
}

export interface Findings {
  readonly fates: Readonly<Record<ReceiptFate["fate"], number>>;
  /** Orders whose client got no answer, or a 500. */
  readonly unanswered: number;
  /** Orders that the service did not send, because it could not reach the gateway or paused its calls. */
  readonly notSent: number;
  readonly settledAfterSeconds: number;
  /** Orders that the validator has more than once. Must be empty, as all lists below. */
  readonly doubled: readonly string[];
  /** Orders that were sent to the gateway more than once. */
  readonly sentTwice: readonly string[];
  readonly undecided: readonly string[];
  /** Answers of 200 and 400 whose receipt says something else. */
  readonly contradicted: readonly string[];
  readonly notAccepted: readonly string[];
  readonly notRejected: readonly string[];
  readonly differentReads: readonly string[];
}

interface Judged extends Placed {
  readonly receipt: ReceiptFate | null;
}

/** After this time a receipt that is pending counts as undecided. */
const SETTLE_MAX_MS = 180_000;
const BETWEEN_ROUNDS_MS = 500;

export async function inspect(given: {
  readonly placed: readonly Placed[];
  readonly traders: readonly Trader[];
  readonly standIn: StandInProcess;
  /** How often each order was sent to the gateway, by its kind and id. */
  readonly sent: ReadonlyMap<string, number>;
  readonly port: number;
}): Promise<Findings> {
  const { placed, standIn, sent, port } = given;
  const startedMs = Date.now();
  const judged = await settled(placed, port);
  const settledAfterSeconds = Math.round((Date.now() - startedMs) / 1_000);
  const subaccounts = given.traders.map(({ subaccount }) => subaccount);
  const accounts = await standInAccounts(standIn, subaccounts);
  const countOf = (one: Judged): number => carriedOut(one, accounts.get(one.trader.subaccount));
  const nonces = (wrong: (one: Judged) => boolean): readonly string[] =>
    judged.filter(wrong).map((one) => `${one.nonce}: ${described(one)}, ${countOf(one)} times`);
  return {
    fates: counted(judged),
    unanswered: placed.filter(({ status }) => status === null || status >= 500).length,
    notSent: placed.filter(({ isDown }) => isDown).length,
    settledAfterSeconds,
    doubled: nonces((one) => countOf(one) > 1),
    sentTwice: [...sent].filter(([, count]) => count > 1).map(([uuid]) => uuid),
    undecided: nonces(({ receipt }) => receipt === null || receipt.fate === "pending"),
    contradicted: nonces(contradicts),
    notAccepted: nonces((one) => one.receipt?.fate === "accepted" && countOf(one) === 0),
    notRejected: nonces(
      (one) => ["rejected", "unseen"].includes(one.receipt?.fate ?? "") && countOf(one) > 0,
    ),
    differentReads: await differentReads(given.traders, accounts, port),
  };
}

/** Reads every receipt until it is final. */
async function settled(placed: readonly Placed[], port: number): Promise<readonly Judged[]> {
  const fates = new Map<string, ReceiptFate>();
  const isOpen = ({ nonce }: Placed): boolean =>
    !["accepted", "rejected", "unseen"].includes(fates.get(nonce)?.fate ?? "");
  const giveUpAtMs = Date.now() + SETTLE_MAX_MS;
  for (let round = 0; placed.some(isOpen) && Date.now() < giveUpAtMs; round += 1) {
    for (const { trader, nonce } of placed.filter(isOpen)) {
      const readNonce = `receipt-${round}-${nonce}`;
      const fate = await readReceipt(port, trader, { nonce, readNonce });
      if (fate !== null) fates.set(nonce, fate);
    }
    await setTimeout(BETWEEN_ROUNDS_MS);
  }
  return placed.map((one) => ({ ...one, receipt: fates.get(one.nonce) ?? null }));
}

/** How often the validator has carried out the order, by its content. */
function carriedOut({ mark, pair }: Judged, account: StandInAccount | undefined): number {
  const isIt = (order: AcceptedContent): boolean => {
    switch (mark.kind) {
      case "market":
        return (
          order.execution_type === "MARKET" &&
          order.trade_pair === pair &&
          order.quantity === mark.quantity
        );
      case "limit":
        return order.execution_type === "LIMIT" && order.limit_price === mark.limitPrice;
      case "edit":
        return order.execution_type === "LIMIT_EDIT" && order.limit_price === mark.limitPrice;
      case "cancel":
        return order.execution_type === "LIMIT_CANCEL" && order.order_uuid === mark.orderUuid;
    }
  };
  return account?.accepted.filter(isIt).length ?? 0;
}

function contradicts({ status, receipt }: Judged): boolean {
  if (status === 200) return receipt?.fate !== "accepted";
  return status === 400 && receipt?.fate !== "rejected";
}

function described({ mark, status, fault, receipt }: Judged): string {
  const { fate = null, orderUuid = null, error = null } = receipt ?? {};
  return JSON.stringify({ mark, fault, status, fate, orderUuid, error });
}

function counted(judged: readonly Judged[]): Findings["fates"] {
  const count = (fate: ReceiptFate["fate"]): number =>
    judged.filter(({ receipt }) => receipt?.fate === fate).length;
  return {
    accepted: count("accepted"),
    rejected: count("rejected"),
    pending: count("pending"),
    unseen: count("unseen"),
  };
}

/** Accounts whose positions or pending orders are not those of the validator. */
async function differentReads(
  traders: readonly Trader[],
  accounts: ReadonlyMap<string, StandInAccount>,
  port: number,
): Promise<readonly string[]> {
  const different: string[] = [];
  for (const trader of traders) {
    const account = accounts.get(trader.subaccount) ?? NOTHING;
    const shown = {
      positions: (await readList(port, trader, "positions")).map(
        (one) => `${String(one.tradePair)} ${Number(one.netQuantity).toFixed(5)}`,
      ),
      orders: (await readList(port, trader, "orders")).map(
        (one) => `${String(one.orderUuid)} ${String(one.limitPrice)}`,
      ),
    };
    const held = {
      positions: account.positions.map((one) => `${one.pair} ${one.quantity.toFixed(5)}`),
      orders: account.pending.map((one) => `${one.orderUuid} ${one.limitPrice}`),
    };
    for (const list of ["positions", "orders"] as const) {
      const [ours, theirs] = [shown[list].toSorted().join(), held[list].toSorted().join()];
      if (ours !== theirs) different.push(`${trader.subaccount} ${list}: ${ours} / ${theirs}`);
    }
  }
  return different;
}

const NOTHING: StandInAccount = { accepted: [], positions: [], pending: [] };

async function readList(
  port: number,
  { signer }: Trader,
  list: "positions" | "orders",
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const target = `/api/v1/trading/${list}`;
  const reply = await send(port, signer, { target, nonce: `read-${crypto.randomUUID()}` });
  if (reply?.status !== 200) return [{ tradePair: `answered ${reply?.status}` }];
  const { data } = reply.json() as { readonly data: readonly Readonly<Record<string, unknown>>[] };
  return data;
}
