import type { Account, Linked } from "@propgate/contract";
import { useNow } from "../../clock.tsx";
import { plainText } from "../../format/numbers.ts";
import { countdownText, dayText, nextMidnightMs, nextMondayMs } from "../../format/times.ts";
import { Facts, Figure } from "../../parts/figure.tsx";
import { midnightText, mondayText } from "../../parts/limit-words.ts";
import { Panel } from "../../parts/panel.tsx";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The age of the phase, the trading days, and the effects of the next midnight and the next Monday. */
export function UpcomingTimes({ account }: { readonly account: Account<Linked> }) {
  const now = useNow();
  const startMs = account.performance.challengeStartMs;
  const days = startMs === null ? null : Math.max(0, Math.floor((now - startMs) / DAY_MS));
  return (
    <Panel title="Time">
      <Facts
        rows={[
          ["Phase start", <span key="start">{dayText(startMs)}</span>],
          ["Days in phase", <Figure key="days" value={days} as={plainText} />],
          [
            "Trading days",
            <Figure key="trading" value={account.tradingDays} as={plainText} field="tradingDays" />,
          ],
        ]}
      />
      {account.tradingDays === null && (
        <p className="mt-1 text-xs text-muted">Trading days count only on the pro track.</p>
      )}
      <Countdown name="Next 00:00 UTC" untilMs={nextMidnightMs(now)} nowMs={now}>
        {midnightText(account)}
      </Countdown>
      <Countdown name="Next Monday 00:00 UTC" untilMs={nextMondayMs(now)} nowMs={now}>
        {mondayText(account)}
      </Countdown>
    </Panel>
  );
}

function Countdown({
  name,
  untilMs,
  nowMs,
  children,
}: {
  readonly name: string;
  readonly untilMs: number;
  readonly nowMs: number;
  readonly children: string;
}) {
  return (
    <div className="mt-3 border-t border-line pt-3">
      <div className="flex justify-between gap-3">
        <span className="text-muted">{name}</span>
        <span className="figure">{countdownText(untilMs, nowMs)}</span>
      </div>
      <p className="mt-1 text-xs text-muted">{children}</p>
    </div>
  );
}
