import { otherWork } from "@propgate/base";
import type { AccountId, Moment, QuoteOrigin, UnixMs } from "@propgate/core";
import { unixMs } from "@propgate/core";
import type { AccountIndex, AccountStore, IndexedAccount, LinkedSummary } from "@propgate/ledger";
import type { BoardLag } from "@propgate/market";
import {
  type AccountItem,
  accountFields,
  accountItem,
  type LinkedLine,
  type LinkedReadingsOfList,
  type ValuedAccount,
  type ValuedAt,
  valuedAccount,
  valuedAt,
} from "@propgate/wire";

/** An account of either network, valued when it is asked for. */
export type BookAccount =
  | { readonly network: "embedded"; readonly account: IndexedAccount }
  | { readonly network: "vanta"; readonly line: LinkedLine };

/** All accounts at one moment: every figure of it is of the same time and prices. */
export interface OpenBook {
  /** The number of the newest quote on the board; null before the first of this process. */
  readonly asOf: { readonly quoteNumber: number | null; readonly atMs: UnixMs };
  readonly at: ValuedAt;
  readonly accounts: readonly BookAccount[];
}

export interface AccountBook {
  /** The accounts, each later than every commit before the call. */
  open(): Promise<OpenBook>;
  /** The same with that account alone; with none when it is unknown. */
  openAt(account: AccountId): Promise<OpenBook>;
  /** Reads stored rows again that were replaced. */
  forget(): void;
}

export interface AccountBookOptions {
  readonly index: AccountIndex;
  readonly accounts: Pick<AccountStore, "linked">;
  readonly linked: Pick<LinkedReadingsOfList, "line">;
  /** The present time and prices, as one unchanging snapshot. */
  readonly moment: () => Moment;
  /** The places of the quotes on the board. */
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
      at: valuedAt(moment, settledMs),
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
      return openWith([{ network: "vanta", line: await linked.line(entry) }]);
    },
    forget: () => index.forget(),
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

/** Linked accounts that are read concurrently. */
const READS_MAX = 50;

/** The lines of linked accounts; one is made again when its account has another version or reading. */
function createLinkedLines(
  linked: Pick<LinkedReadingsOfList, "line">,
): (entries: readonly LinkedSummary[]) => Promise<readonly LinkedLine[]> {
  let known = new Map<AccountId, { readonly key: string; readonly line: LinkedLine }>();
  return async (entries) => {
    const next: typeof known = new Map();
    for (let at = 0; at < entries.length; at += READS_MAX) {
      const group = entries.slice(at, at + READS_MAX).map(async (entry) => {
        const key = JSON.stringify(entry);
        const before = known.get(entry.accountId);
        const line = before?.key === key ? before.line : await linked.line(entry);
        next.set(entry.accountId, { key, line });
      });
      await Promise.all(group);
    }
    known = next;
    return [...next.values()].map(({ line }) => line);
  };
}

/** Accounts that are computed before other work gets its turn. */
const SLICE = 500;

/** Every account, in slices, so that no order waits for a list of many accounts. */
export async function* slicesOf(book: OpenBook): AsyncGenerator<readonly BookAccount[]> {
  const { accounts } = book;
  for (let at = 0; at < accounts.length; at += SLICE) {
    if (at > 0) await otherWork();
    yield accounts.slice(at, at + SLICE);
  }
}

/** The whole item of an account. */
export function bookItem(account: BookAccount, { at }: Pick<OpenBook, "at">): AccountItem {
  return account.network === "vanta"
    ? account.line.item
    : accountItem(valuedAccount(account.account, at));
}

/** Computes the fields of the names, and maybe more. */
export function bookFields(
  names: Iterable<string>,
  { at }: Pick<OpenBook, "at">,
): (account: BookAccount) => Partial<AccountItem> {
  const fields: (valued: ValuedAccount) => Partial<AccountItem> = accountFields(names);
  return (account) =>
    account.network === "vanta" ? account.line.item : fields(valuedAccount(account.account, at));
}
