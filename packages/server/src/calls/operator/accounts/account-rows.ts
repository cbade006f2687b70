import { ACCOUNTS_LIST, type OperatorAccount } from "@propgate/contract";
import { type AccountId, accountId, type OwnerId, ownerId } from "@propgate/core";
import type { AccountNameStore } from "@propgate/ledger";
import type { AccountItem } from "@propgate/wire";
import { comparePlacesBy } from "../../../storage/lists/compare-places.ts";
import {
  createItemFilter,
  createItemPlacer,
  decidingFields,
  type ListedItem,
} from "../../../storage/lists/items-in-memory.ts";
import type {
  ListPage,
  ListPageQuery,
  ListPlace,
  ListQuery,
} from "../../../storage/lists/list-query.ts";
import type { InMemoryRows } from "../lists/list-call.ts";
import {
  type BookAccount,
  bookItem,
  createFieldReader,
  type OpenBook,
  slicesOf,
} from "./account-book.ts";

/** An account of the book with all fields of its item; null when the book does not have it. */
export async function readBookItem(
  book: OpenBook,
  names: AccountNameStore,
  accountId: AccountId,
): Promise<{ readonly account: BookAccount; readonly item: OperatorAccount } | null> {
  const account = book.accounts.find((one) => idsOf(one).id === accountId);
  if (account === undefined) return null;
  const fields = ACCOUNTS_LIST.fields.map(({ name }) => name);
  const [item] = await shownItems({ book, names }, { fields }, [{ account }]);
  return item === undefined ? null : { account, item };
}

interface Found {
  readonly account: BookAccount;
  readonly place: ListPlace;
}

/** The number of accounts of a file whose items are computed together, with one read of their names. */
const NAMES_PER_READ = 500;

/**
 * The accounts of the book as the rows of a list. A query first finds and sorts its accounts by the fields that its
 * filters and its sort order use. Then it computes the shown fields of its page or file.
 */
export function accountRows(
  book: OpenBook,
  names: AccountNameStore,
): InMemoryRows<OperatorAccount> {
  return {
    asOfMs: book.asOf.atMs,
    page: (query) => readPage({ book, names }, query),
    async *all(query) {
      const compare = comparePlacesBy(query.sort);
      const found: Found[] = [];
      for await (const slice of foundIn({ book, names }, query)) found.push(...slice);
      found.sort((one, other) => compare(one.place, other.place));
      for (let at = 0; at < found.length; at += NAMES_PER_READ) {
        yield* await shownItems({ book, names }, query, found.slice(at, at + NAMES_PER_READ));
      }
    },
  };
}

interface Named {
  readonly book: OpenBook;
  readonly names: AccountNameStore;
}

async function readPage(of: Named, query: ListPageQuery): Promise<ListPage<OperatorAccount>> {
  const compare = comparePlacesBy(query.sort);
  const { after, limit } = query;
  const first = createFirst(limit + 1, compare);
  let total = 0;
  for await (const slice of foundIn(of, query)) {
    total += slice.length;
    for (const one of slice) if (after === null || compare(one.place, after) > 0) first.add(one);
  }
  const page = first.sorted.slice(0, limit);
  const next = first.sorted.length > limit ? (page.at(-1)?.place ?? null) : null;
  return { items: await shownItems(of, query, page), next, total, sums: [] };
}

type Compare = (one: ListPlace, other: ListPlace) => number;

/** Keeps the first `count`, in the sort order, of all accounts that are added. */
function createFirst(
  count: number,
  compare: Compare,
): { readonly sorted: readonly Found[]; add(one: Found): void } {
  const sorted: Found[] = [];
  return {
    sorted,
    add(one) {
      const last = sorted.length < count ? undefined : sorted.at(-1);
      if (last !== undefined && compare(one.place, last.place) >= 0) return;
      insert(sorted, one, compare);
      if (sorted.length > count) sorted.pop();
    },
  };
}

function insert(sorted: Found[], one: Found, compare: Compare): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = sorted[middle];
    if (at !== undefined && compare(at.place, one.place) < 0) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, one);
}

/**
 * The accounts that match the query, each with its position in the sort order, in slices that are not sorted. Computes
 * only the fields that the filters and the sort order use.
 */
async function* foundIn(
  { book, names }: Named,
  query: ListQuery,
): AsyncGenerator<readonly Found[]> {
  const deciding = decidingFields(ACCOUNTS_LIST, query);
  const fields = createFieldReader(deciding, book);
  const has = createItemFilter(ACCOUNTS_LIST, query);
  const placeOf = createItemPlacer(ACCOUNTS_LIST, query);
  const nameOf = await allNames(names, deciding);
  for await (const slice of slicesOf(book)) {
    const found: Found[] = [];
    for (const account of slice) {
      const item: ListedItem = nameOf === null ? fields(account) : nameOf(account, fields(account));
      if (has(item)) found.push({ account, place: placeOf(item) });
    }
    yield found;
  }
}

/** The accounts that match the filters of the query, in no particular order. */
export async function* matchingAccounts(of: Named, query: ListQuery): AsyncGenerator<BookAccount> {
  for await (const slice of foundIn(of, query)) {
    for (const { account } of slice) yield account;
  }
}

type Naming = (account: BookAccount, item: Partial<AccountItem>) => ListedItem;

/**
 * Returns the function that adds the external id and the owner's name to an item; null when the query depends on
 * neither.
 */
async function allNames(
  names: AccountNameStore,
  deciding: ReadonlySet<string>,
): Promise<Naming | null> {
  if (!deciding.has("externalId") && !deciding.has("ownerName")) return null;
  const [externalIds, owners] = await Promise.all([
    deciding.has("externalId") ? names.externalIds(null) : null,
    deciding.has("ownerName") ? names.ownerNames(null) : null,
  ]);
  return (account, item) => {
    const { id, owner } = idsOf(account);
    return {
      ...item,
      externalId: externalIds?.get(id) ?? null,
      ownerName: owners?.get(owner) ?? null,
    };
  };
}

function idsOf(account: BookAccount): { readonly id: AccountId; readonly owner: OwnerId } {
  if (account.network === "embedded") {
    const { accountId: id, ownerId: owner } = account.account.state;
    return { id, owner };
  }
  const { item } = account.line;
  return { id: accountId(item.accountId), owner: ownerId(item.ownerId) };
}

async function shownItems(
  of: Named,
  { fields }: Pick<ListQuery, "fields">,
  found: readonly Pick<Found, "account">[],
): Promise<readonly OperatorAccount[]> {
  const items = await itemsOf(
    of,
    found.map(({ account }) => account),
  );
  // `fields` has the requested names in their order. It has all names when the query names none.
  return items.map(
    (item) =>
      Object.fromEntries(
        fields.map((name) => [name, (item as ListedItem)[name]]),
      ) as unknown as OperatorAccount,
  );
}

async function itemsOf(
  { book, names }: Named,
  accounts: readonly BookAccount[],
): Promise<readonly OperatorAccount[]> {
  const ids = accounts.map(idsOf);
  const [externalIds, owners] = await Promise.all([
    names.externalIds(ids.map(({ id }) => id)),
    names.ownerNames([...new Set(ids.map(({ owner }) => owner))]),
  ]);
  return accounts.map((account) => {
    const { id, owner } = idsOf(account);
    return {
      ...bookItem(account, book),
      externalId: externalIds.get(id) ?? null,
      ownerName: owners.get(owner) ?? null,
    };
  });
}
