import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { readOperator, readWholeList } from "../../api/operator.ts";
import { type AccountFilter, accountQueryOf } from "./accounts/account-filter.ts";

/** The beginning of the key of every query that is refreshed after an operator's action. */
export const CONSOLE_KEY = "console";

const HEALTH_EVERY_MS = 5_000;

export const healthQuery = queryOptions({
  queryKey: [CONSOLE_KEY, "health"],
  queryFn: ({ signal }) => readOperator("health", { signal }),
  refetchInterval: HEALTH_EVERY_MS,
});

export const instrumentsQuery = queryOptions({
  queryKey: [CONSOLE_KEY, "instruments"],
  queryFn: ({ signal }) =>
    readWholeList((query) => readOperator("instruments.list", { query, signal })),
  refetchInterval: HEALTH_EVERY_MS,
});

const PRICES_EVERY_MS = 2_000;

export const pricesQuery = queryOptions({
  queryKey: [CONSOLE_KEY, "prices"],
  queryFn: ({ signal }) => readWholeList((query) => readOperator("prices.list", { query, signal })),
  refetchInterval: PRICES_EVERY_MS,
});

export function priceQuery(pair: string) {
  return queryOptions({
    queryKey: [CONSOLE_KEY, "prices", pair],
    queryFn: ({ signal }) => readOperator("prices.get", { id: pair, signal }),
    refetchInterval: PRICES_EVERY_MS,
    gcTime: 0,
  });
}

/** The effect that the choice of a source would have at this moment. */
export function priceEffectQuery(pair: string, source: string) {
  return queryOptions({
    queryKey: [CONSOLE_KEY, "prices", pair, source],
    queryFn: ({ signal }) => readOperator("prices.effect", { id: pair, query: { source }, signal }),
    refetchInterval: PRICES_EVERY_MS,
    gcTime: 0,
  });
}

export const corporateActionsQuery = queryOptions({
  queryKey: [CONSOLE_KEY, "actions"],
  queryFn: ({ signal }) =>
    readWholeList((query) => readOperator("corporateActions.list", { query, signal })),
  refetchInterval: HEALTH_EVERY_MS,
});

/** The keys of a person's accounts. They are not cached, because keys change outside the console too. */
export function personKeysQuery(personId: string) {
  return queryOptions({
    queryKey: [CONSOLE_KEY, "people", personId, "keys"],
    queryFn: ({ signal }) => readOperator("people.keys", { id: personId, signal }),
    gcTime: 0,
  });
}

export const programsQuery = queryOptions({
  queryKey: [CONSOLE_KEY, "programs"],
  queryFn: ({ signal }) =>
    readWholeList((query) => readOperator("programs.list", { query, signal })),
});

export function programQuery(id: string) {
  return queryOptions({
    queryKey: [CONSOLE_KEY, "programs", id],
    queryFn: ({ signal }) => readOperator("programs.get", { id, signal }),
  });
}

const PAGE = "50";

export function peoplePagesQuery(text: string) {
  return infiniteQueryOptions({
    queryKey: [CONSOLE_KEY, "people", "pages", text],
    queryFn: ({ signal, pageParam }) =>
      readOperator("people.list", {
        query: { q: text.trim(), sort: "name", after: pageParam, limit: PAGE },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

export function accountPagesQuery(filter: AccountFilter) {
  return infiniteQueryOptions({
    queryKey: [CONSOLE_KEY, "accounts", filter],
    queryFn: ({ signal, pageParam }) =>
      readOperator("accounts.list", {
        query: { ...accountQueryOf(filter), after: pageParam, limit: PAGE },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

export function payoutPagesQuery(status: string) {
  return infiniteQueryOptions({
    queryKey: [CONSOLE_KEY, "payouts", status],
    queryFn: ({ signal, pageParam }) =>
      readOperator("payouts.list", {
        query: {
          status,
          sort: status === "paid" ? "-paidAtMs" : "periodEndMs",
          after: pageParam,
          limit: PAGE,
        },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

export function payoutQuery(id: string) {
  return queryOptions({
    queryKey: [CONSOLE_KEY, "payout", id],
    queryFn: ({ signal }) => readOperator("payouts.get", { id, signal }),
  });
}

export interface AuditFilter {
  readonly accountId: string;
  readonly by: string;
  readonly deed: string;
}

export function auditPagesQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: [CONSOLE_KEY, "audit", filter],
    queryFn: ({ signal, pageParam }) =>
      readOperator("audit.list", {
        query: { ...filter, after: pageParam, limit: PAGE },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}
