import type { Payouts } from "@propgate/contract";
import { useNow } from "../../clock.tsx";
import { exactMoney, sharedDigits } from "../../format/exact-money.ts";
import { UNKNOWN } from "../../format/numbers.ts";
import { countdownText, dayText, nextMondayMs, timeText } from "../../format/times.ts";
import { useAccountLive } from "../../live/account-live.tsx";
import { Facts, Figure } from "../../parts/figure.tsx";
import { accrualWords } from "./accrual-words.ts";

/** The estimate with where it comes from and when the week is closed. */
export function WeekInProgress({ payouts }: { readonly payouts: Payouts }) {
  const { state } = useAccountLive();
  const now = useNow();
  const { accrual, accrualStatus } = payouts;
  const words = accrualWords(payouts, state?.account ?? null);
  const closesMs = nextMondayMs(now);
  const isEarning = (accrual?.windowStartMs ?? null) !== null;
  const money = exactMoney(
    sharedDigits([accrual?.estimatedAmount, accrual?.priorUnpaidAmount, accrual?.deferredBalance]),
  );
  return (
    <div className="flex flex-col gap-4" data-accrual={accrualStatus}>
      {words !== null && <p>{words}</p>}
      <Facts
        rows={[
          [
            "Estimate",
            <Figure
              key="estimate"
              value={accrual?.estimatedAmount}
              {...money}
              field="accrual.estimatedAmount"
              unit="USD"
            />,
          ],
          ["Began (UTC)", timeText(accrual?.windowStartMs)],
          ["Closes (UTC)", isEarning ? timeText(closesMs) : UNKNOWN],
          ["Closes in", isEarning ? countdownText(closesMs, now) : UNKNOWN],
          [
            "Closed, not yet paid",
            <Figure
              key="unpaid"
              value={accrual?.priorUnpaidAmount}
              {...money}
              field="accrual.priorUnpaidAmount"
              unit="USD"
            />,
          ],
          ["Oldest of them began", dayText(accrual?.earliestUnpaidPeriodStartMs)],
          [
            "Withheld",
            <Figure
              key="deferred"
              value={accrual?.deferredBalance}
              {...money}
              field="accrual.deferredBalance"
              unit="USD"
            />,
          ],
        ]}
      />
      <p className="text-xs text-muted">
        An estimate as of {timeText(accrual?.asOfMs)} UTC. Open gains do not count until they are
        realized, open losses do at once; nothing is owed before the week is closed.
      </p>
    </div>
  );
}
