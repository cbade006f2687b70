import { yieldToEventLoop } from "@propgate/base";
import type { AccountId, Moment, QuoteOrigin, UnixMs } from "@propgate/core";
import { unixMs } from "@propgate/core";
import type { AccountIndex, AccountStore, IndexedAccount, LinkedSummary } from "@propgate/ledger";
import type { BoardLag } from "@propgate/market";
import {
  type AccountItem,
  accountItem,
  createAccountFieldReader,
  createValuationMoment,
  type LinkedAccountReadings,
  type LinkedAccountRow,
  type ValuationMoment,
  type ValuedAccount,
  valueAccount,
} from "@propgate/wire";

/**
 * An account of the own network (`embedded`) or of a validator (`vanta`). An embedded account is valued when its fields
 * are computed; an account of a validator has its figures in `line`.
 */
export type BookAccount =
  | { readonly network: "embedded"; readonly account: IndexedAccount }
  | { readonly network: "vanta"; readonly line: LinkedAccountRow };

/**
 * All accounts, or a single one, at one moment. Every figure of an embedded account is computed with the time and the
 * prices of this moment. The figures of a linked account are those of the validator's last answer.
 */
export interface OpenBook {
  /**
   * `quoteNumber` is the feed's number of the newest quote on the board; null before the first quote of this process.
   */
  readonly asOf: { readonly quoteNumber: number | null; readonly atMs: UnixMs };
  readonly at: ValuationMoment;
  readonly accounts: readonly BookAccount[];
}

/** Reads the accounts of both networks at one moment. */
export interface AccountBook {
  /** The book of all accounts. It includes every commit before the call. */
  open(): Promise<OpenBook>;
  /** The book of this one account; without any account when it is unknown. */
  openAt(account: AccountId): Promise<OpenBook>;
  /** Call this after stored rows were replaced. The next read then reads all accounts again. */
  invalidate(): void;
}

export interface AccountBookOptions {
  readonly index: AccountIndex;
  readonly accounts: Pick<AccountStore, "linked">;
  readonly linked: Pick<LinkedAccountReadings, "accountRow">;
  /** The present time and prices, as one snapshot that does not change. */
  readonly moment: () => Moment;
  /** The epoch and number of each quote on the board. */
  readonly origins: () => Iterable<QuoteOrigin>;
  readonly lag: () => BoardLag;
}

export function createAccountBook(options: AccountBookOptions): AccountBook {
  const { index, accounts, linked, moment: momentNow, lag } = options;
  const lines = createLinkedLines(linked);
  const openWith = (found: readonly BookAccount[]): OpenBook => {
    const moment = momentNow();
    const settledMs = unixMs(moment.now - Math.round(lag().oldestMs));
    return {
      asOf: { quoteNumber: newestNumber(options.origins()), atMs: moment.now },
      at: createValuationMoment(moment, settledMs),
      accounts: found,
    };
  };
  return {
    async open() {
      const [embedded, entries] = await Promise.all([index.read(), accounts.linked()]);
      const atValidator = await lines(entries);
      return openWith([
        ...embedded.map((account) => ({ network: "embedded" as const, account })),
        ...atValidator.map((line) => ({ network: "vanta" as const, line })),
      ]);
    },
    async openAt(id) {
      const account = await index.find(id);
      if (account !== null) return openWith([{ network: "embedded", account }]);
      const entry = (await accounts.linked()).find(({ accountId }) => accountId === id);
      if (entry === undefined) return openWith([]);
      return openWith([{ network: "vanta", line: await linked.accountRow(entry) }]);
    },
    invalidate: () => index.forget(),
  };
}

function newestNumber(origins: Iterable<QuoteOrigin>): number | null {
  let newest: QuoteOrigin | null = null;
  for (const origin of origins) {
    const isNewer =
      newest === null ||
      origin.epoch > newest.epoch ||
      (origin.epoch === newest.epoch && origin.number > newest.number);
    if (isNewer) newest = origin;
  }
  return newest?.number ?? null;
}

/** The maximum number of linked accounts that are read concurrently. */
const READS_MAX = 50;

/** Reads the list rows of linked accounts. A row is cached, and is read again when the stored account has changed. */
function createLinkedLines(
  linked: Pick<LinkedAccountReadings, "accountRow">,
): (entries: readonly LinkedSummary[]) => Promise<readonly LinkedAccountRow[]> {
  let known = new Map<AccountId, { readonly key: string; readonly line: LinkedAccountRow }>();
  return async (entries) => {
    const next: typeof known = new Map();
    for (let at = 0; at < entries.length; at += READS_MAX) {
      const group = entries.slice(at, at + READS_MAX).map(async (entry) => {
        const key = JSON.stringify(entry);
        const before = known.get(entry.accountId);
        const line = before?.key === key ? before.line : await linked.accountRow(entry);
        next.set(entry.accountId, { key, line });
      });
      await Promise.all(group);
    }
    known = next;
    return [...next.values()].map(({ line }) => line);
  };
}

/** The number of accounts whose items are computed before the event loop may do other work. */
const SLICE = 500;

/** All accounts of the book, in slices, so that no order waits until a list of many accounts is computed. */
export async function* slicesOf(book: OpenBook): AsyncGenerator<readonly BookAccount[]> {
  const { accounts } = book;
  for (let at = 0; at < accounts.length; at += SLICE) {
    if (at > 0) await yieldToEventLoop();
    yield accounts.slice(at, at + SLICE);
  }
}

/** The account's item with all its fields. */
export function bookItem(account: BookAccount, { at }: Pick<OpenBook, "at">): AccountItem {
  return account.network === "vanta"
    ? account.line.item
    : accountItem(valueAccount(account.account, at));
}

/** Returns the function that computes these fields of an account's item, and possibly more. */
export function createFieldReader(
  names: Iterable<string>,
  { at }: Pick<OpenBook, "at">,
): (account: BookAccount) => Partial<AccountItem> {
  const fields: (valued: ValuedAccount) => Partial<AccountItem> = createAccountFieldReader(names);
  return (account) =>
    account.network === "vanta" ? account.line.item : fields(valueAccount(account.account, at));
}
