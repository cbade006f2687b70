import type { CycleView, Linked, Payouts } from "@propgate/contract";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getData, isNotOffered } from "../../api/call.ts";
import { exactMoney, sharedDigits } from "../../format/exact-money.ts";
import { useAccountLive } from "../../live/account-live.tsx";
import { Button } from "../../parts/button.tsx";
import { Figure, Tile } from "../../parts/figure.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/panel.tsx";
import { withheldWords } from "./accrual-words.ts";
import { payableUsd } from "./cycle-formula.ts";
import { PaymentTable } from "./payment-table.tsx";
import { type PayoutTotals, payoutTotals, payoutWeeks } from "./payout-weeks.ts";
import { WeekInProgress } from "./week-in-progress.tsx";
import { WeekTable } from "./week-table.tsx";

const PAGE_SIZE = 50;
/**
 * The time after which the estimate is loaded again. The estimate changes with prices, which do not change the
 * account's version.
 */
const ESTIMATE_EVERY_MS = 5_000;

interface PayoutsView {
  readonly version: number;
  readonly payouts: Payouts<Linked>;
}

/** The estimate of the current week, and the closed weeks with their payments. */
export function PayoutsPage() {
  const { accountId } = useAccountLive();
  const cycles = useQuery({
    queryKey: ["account", accountId, "cycles"],
    queryFn: ({ signal }) => getData<readonly CycleView[]>(`accounts/${accountId}/cycles`, signal),
  });
  const pages = useInfiniteQuery({
    queryKey: ["account", accountId, "payouts"],
    queryFn: ({ pageParam, signal }) =>
      getData<PayoutsView>(`accounts/${accountId}/payouts?${pageQuery(pageParam)}`, signal),
    initialPageParam: null,
    getNextPageParam: ({ payouts }: PayoutsView): string | null => payouts.nextCursor,
    refetchInterval: ESTIMATE_EVERY_MS,
  });
  const first = pages.data?.pages[0]?.payouts ?? null;
  const payments = pages.data?.pages.flatMap(({ payouts }) => payouts.items) ?? [];
  const totals =
    cycles.data === undefined || first === null ? null : payoutTotals(cycles.data, first.accrual);
  return (
    <div className="flex flex-col gap-4">
      <h1 className="sr-only">Payouts</h1>
      <Totals first={first} totals={totals} isSent={!isNotOffered(cycles.error)} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Panel title="Closed weeks" flush>
          {isNotOffered(cycles.error) ? (
            <Loaded query={pages} heightClass="min-h-80">
              {() => <PaymentTable payments={payments} reason={cycles.error?.message ?? ""} />}
            </Loaded>
          ) : (
            <Loaded query={cycles} heightClass="min-h-80">
              {(closed) => (
                <Loaded query={pages} heightClass="min-h-80">
                  {() => (
                    <WeekTable
                      weeks={payoutWeeks(closed, payments, pages.hasNextPage)}
                      digits={sharedDigits(closed.map(payableUsd))}
                    />
                  )}
                </Loaded>
              )}
            </Loaded>
          )}
          {pages.hasNextPage && (
            <div className="border-t border-line p-3 text-center">
              <Button
                disabled={pages.isFetchingNextPage}
                onClick={() => void pages.fetchNextPage()}
              >
                Load earlier weeks
              </Button>
            </div>
          )}
        </Panel>
        <Panel title="Current week">
          <Loaded query={{ ...pages, data: first ?? undefined }} heightClass="min-h-60">
            {(payouts) => <WeekInProgress payouts={payouts} />}
          </Loaded>
        </Panel>
      </div>
    </div>
  );
}

function pageQuery(cursor: string | null): string {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  if (cursor !== null) query.set("cursor", cursor);
  return query.toString();
}

interface TotalsProps {
  readonly first: Payouts<Linked> | null;
  /** The totals of closed weeks; null while they are loading. */
  readonly totals: PayoutTotals | null;
  /** True when the network sends the paid and the withheld amounts. */
  readonly isSent: boolean;
}

const UNSENT = "not sent by the network";

function Totals({ first, totals, isSent }: TotalsProps) {
  const estimate = first?.accrual?.estimatedAmount;
  const deferred = first?.accrual?.deferredBalance;
  // The three figures of closed weeks are read together, so they have the same number of decimals.
  const closed = exactMoney(sharedDigits([totals?.earned, totals?.unpaid, totals?.paid]));
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-5 [&>:first-child]:max-lg:col-span-2">
      <Tile label="Estimate (current week)" note="if it closed now">
        <Figure
          value={estimate}
          {...exactMoney(sharedDigits([estimate]))}
          field="accrual.estimatedAmount"
        />
      </Tile>
      <Tile label="Earned (closed weeks)" note={isSent ? "paid and unpaid" : UNSENT}>
        <Figure value={totals?.earned} {...closed} />
      </Tile>
      <Tile label="Paid" note={isSent ? "earned minus unpaid" : UNSENT}>
        <Figure value={totals?.paid} {...closed} />
      </Tile>
      <Tile label="Unpaid" note={isSent ? "of closed weeks" : UNSENT}>
        <Figure value={totals?.unpaid} {...closed} field="accrual.priorUnpaidAmount" />
      </Tile>
      <Tile label="Withheld" note={isSent ? withheldWords(first?.accrual ?? null) : UNSENT}>
        <Figure
          value={deferred}
          {...exactMoney(sharedDigits([deferred]))}
          field="accrual.deferredBalance"
        />
      </Tile>
    </div>
  );
}
