import type { Linked, Payouts } from "@propgate/contract";
import { useNow } from "../../clock.tsx";
import { exactMoney, sharedDigits } from "../../format/exact-money.ts";
import { UNKNOWN } from "../../format/numbers.ts";
import { countdownText, dayText, nextMondayMs, timeText } from "../../format/times.ts";
import { useAccountLive } from "../../live/account-live.tsx";
import { Facts, Figure } from "../../parts/figure.tsx";
import { accrualWords } from "./accrual-words.ts";

/** The estimate of the current week, the unpaid and the withheld amounts, and the end of the week. */
export function WeekInProgress({ payouts }: { readonly payouts: Payouts<Linked> }) {
  const { state } = useAccountLive();
  const now = useNow();
  const { accrual, accrualStatus } = payouts;
  const words =
    state?.isClosed === true
      ? "The account is closed. Closed weeks are still paid."
      : accrualWords(payouts, state?.account ?? null);
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
            "Closed, unpaid",
            <Figure
              key="unpaid"
              value={accrual?.priorUnpaidAmount}
              {...money}
              field="accrual.priorUnpaidAmount"
              unit="USD"
            />,
          ],
          ["Oldest unpaid week", dayText(accrual?.earliestUnpaidPeriodStartMs)],
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
        An estimate as of {timeText(accrual?.asOfMs)} UTC. Open losses count immediately, open gains
        only when they are realized. Nothing is owed before the week closes.
      </p>
    </div>
  );
}
