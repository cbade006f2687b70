import type {
  AuditPage,
  ConsoleAccount,
  ConsoleHealth,
  ConsoleInstrument,
  ConsolePage,
  ConsolePayout,
  ConsolePerson,
  ConsoleProgram,
  ConsoleProgramVersions,
} from "@propgate/contract";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { read } from "../../api/call.ts";

/** Everything here is asked again when the operator has changed something. */
export const CONSOLE_KEY = "console";

const HEALTH_EVERY_MS = 5_000;

export const healthQuery = queryOptions({
  queryKey: [CONSOLE_KEY, "health"],
  queryFn: ({ signal }) => read<ConsoleHealth>("operator/health", signal),
  refetchInterval: HEALTH_EVERY_MS,
});

export const instrumentsQuery = queryOptions({
  queryKey: [CONSOLE_KEY, "instruments"],
  queryFn: ({ signal }) =>
    read<{ readonly items: readonly ConsoleInstrument[] }>("operator/instruments", signal),
  refetchInterval: HEALTH_EVERY_MS,
});

export const peopleQuery = queryOptions({
  queryKey: [CONSOLE_KEY, "people"],
  queryFn: ({ signal }) => read<readonly ConsolePerson[]>("operator/people", signal),
});

export const programsQuery = queryOptions({
  queryKey: [CONSOLE_KEY, "programs"],
  queryFn: ({ signal }) =>
    read<{ readonly items: readonly ConsoleProgram[] }>("operator/programs", signal),
});

export function programQuery(id: string) {
  return queryOptions({
    queryKey: [CONSOLE_KEY, "programs", id],
    queryFn: ({ signal }) =>
      read<ConsoleProgramVersions>(`operator/programs/${encodeURIComponent(id)}`, signal),
  });
}

const PAGE = "50";

export function accountPagesQuery(text: string) {
  return infiniteQueryOptions({
    queryKey: [CONSOLE_KEY, "accounts", text],
    queryFn: ({ signal, pageParam }) =>
      read<ConsolePage<ConsoleAccount>>(
        withQuery("operator/accounts", { q: text, after: pageParam, limit: PAGE }),
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

export function payoutPagesQuery(status: string) {
  return infiniteQueryOptions({
    queryKey: [CONSOLE_KEY, "payouts", status],
    queryFn: ({ signal, pageParam }) =>
      read<ConsolePage<ConsolePayout>>(
        withQuery("operator/payouts", { status, after: pageParam, limit: PAGE }),
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

export function payoutQuery(id: string) {
  return queryOptions({
    queryKey: [CONSOLE_KEY, "payout", id],
    queryFn: ({ signal }) =>
      read<ConsolePayout>(`operator/payouts/${encodeURIComponent(id)}`, signal),
  });
}

export interface AuditFilter {
  readonly account: string;
  readonly person: string;
  readonly deed: string;
}

export function auditPagesQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: [CONSOLE_KEY, "audit", filter],
    queryFn: ({ signal, pageParam }) =>
      read<AuditPage>(
        withQuery("operator/audit", { ...filter, before: pageParam, limit: PAGE }),
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: ({ before }) => (before === null ? null : String(before)),
  });
}

/** The path with those parameters that say something. */
export function withQuery(path: string, given: Readonly<Record<string, string>>): string {
  const said = Object.entries(given).filter(([, value]) => value.trim() !== "");
  const query = new URLSearchParams(said.map(([name, value]) => [name, value.trim()]));
  return said.length === 0 ? path : `${path}?${query.toString()}`;
}
