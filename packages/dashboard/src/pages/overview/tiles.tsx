import type { Account, AccountStateView, Linked } from "@propgate/contract";
import {
  distanceText,
  moneyText,
  percentText,
  signedMoneyText,
  signedPercentText,
  UNKNOWN,
} from "../../format/numbers.ts";
import { hasEnded } from "../../live/near-limit.ts";
import { Figure, GainFigure, Tile, type Tone } from "../../parts/figure.tsx";
import { bindingLimit, bindingText, limitReadings } from "../../parts/limit-words.ts";
import { type LimitSeverity, limitSeverityOf, Meter } from "../../parts/meter.tsx";

const NOT_VALUED = "unknown until every open position has a price";

/**
 * The main figures of the account. Today's profit and the remaining loss are first; for an account that has ended, the
 * balance replaces these two. The figures are unknown while the open positions cannot be valued.
 */
export function Tiles({ state }: { readonly state: AccountStateView }) {
  const { account } = state;
  return (
    <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
      {account !== null && hasEnded(state) ? (
        <BalanceTile account={account} />
      ) : (
        <>
          <TodayTile account={account} />
          <RemainingLossTile state={state} />
        </>
      )}
      <EquityTile account={account} />
      {account !== null && hasEnded(state) ? (
        <EndedTarget account={account} />
      ) : (
        <TargetTile account={account} />
      )}
    </div>
  );
}

interface AccountProps {
  readonly account: Account<Linked> | null;
}

function TodayTile({ account }: AccountProps) {
  const figures = account?.account;
  return (
    <Tile
      label="Today"
      note={
        figures === undefined ? (
          NOT_VALUED
        ) : (
          <>
            <GainFigure
              value={figures.todayPnlPct}
              as={signedPercentText}
              field="account.todayPnlPct"
            />{" "}
            since 00:00 UTC, costs included
          </>
        )
      }
    >
      <GainFigure
        value={figures?.todayPnl}
        as={signedMoneyText}
        field="account.todayPnl"
        unit="USD"
      />
    </Tile>
  );
}

/**
 * The smallest remaining loss of all limits, and the name of its limit. Unknown while the remaining loss of any limit
 * is unknown.
 */
function RemainingLossTile({ state }: { readonly state: AccountStateView }) {
  const rules = state.account?.drawdownRules ?? null;
  const limit = rules === null ? null : bindingLimit(limitReadings(rules));
  if (limit === null) {
    return (
      <Tile label="Left today" note={state.account === null ? NOT_VALUED : "unknown"}>
        {UNKNOWN}
      </Tile>
    );
  }
  const tone = LEFT_TONES[limitSeverityOf(limit.share)];
  return (
    <Tile label="Left today" note={bindingText(limit)}>
      <Figure
        value={limit.remainingNow}
        as={distanceText}
        field={`${limit.field}.remainingNow`}
        tone={tone}
        unit="USD"
      />
    </Tile>
  );
}

const LEFT_TONES = {
  ok: "plain",
  notice: "notice",
  warn: "warn",
  danger: "danger",
  unknown: "plain",
} as const satisfies Record<LimitSeverity, Tone>;

function EquityTile({ account }: AccountProps) {
  const figures = account?.account;
  return (
    <Tile
      label="Equity"
      note={
        figures === undefined ? (
          NOT_VALUED
        ) : (
          <>
            <GainFigure value={figures.totalPnL} as={signedMoneyText} field="account.totalPnL" />{" "}
            <GainFigure
              value={figures.totalPnLPercent}
              as={signedPercentText}
              field="account.totalPnLPercent"
            />{" "}
            in total
          </>
        )
      }
    >
      <Figure
        value={figures?.currentEquity}
        as={moneyText}
        field="account.currentEquity"
        unit="USD"
      />
    </Tile>
  );
}

/** The balance of an account that has ended. */
function BalanceTile({ account }: { readonly account: Account<Linked> }) {
  const figures = account.account;
  return (
    <Tile
      label="Balance"
      note={
        <>
          <GainFigure
            value={figures.balanceChange}
            as={signedMoneyText}
            field="account.balanceChange"
          />{" "}
          closed, net of fees
        </>
      }
    >
      <Figure
        value={figures.currentBalance}
        as={moneyText}
        field="account.currentBalance"
        unit="USD"
      />
    </Tile>
  );
}

function TargetTile({ account }: AccountProps) {
  const target = account?.challenge.profitTarget;
  if (target === 0) {
    return (
      <Tile label="Profit target" note="This account has only loss limits.">
        none
      </Tile>
    );
  }
  return (
    <Tile label="Profit target" note={<TargetNote account={account} />}>
      <Figure value={target} as={moneyText} field="challenge.profitTarget" unit="USD" />
    </Tile>
  );
}

/** The target of the last phase of an account that has ended. It does not show how much was missing. */
function EndedTarget({ account }: { readonly account: Account<Linked> }) {
  const { profitTarget } = account.challenge;
  if (profitTarget === 0) {
    return (
      <Tile label="Profit target" note="The last phase had no target.">
        none
      </Tile>
    );
  }
  const reached = reachedOf(account.challenge);
  return (
    <Tile label="Profit target" note={`${moneyText(reached)} reached when the account ended`}>
      <Figure value={profitTarget} as={moneyText} field="challenge.profitTarget" unit="USD" />
    </Tile>
  );
}

function TargetNote({ account }: AccountProps) {
  if (account === null) return NOT_VALUED;
  const { profitTarget, remaining } = account.challenge;
  const reached = reachedOf(account.challenge);
  const isKnown = reached !== null && profitTarget !== null && profitTarget > 0;
  const share = isKnown ? (reached * 100) / profitTarget : null;
  return (
    <>
      <Meter
        label="Profit target"
        share={share}
        text={`${percentText(share, 0)} reached, ${moneyText(remaining)} USD to go`}
        isLimit={false}
      />
      <span className="mt-1 flex flex-wrap justify-between gap-x-3">
        <span>
          <Figure value={reached} as={moneyText} /> reached
        </span>
        <span>
          <Figure value={remaining} as={moneyText} field="challenge.remaining" /> to go
        </span>
      </span>
    </>
  );
}

/** The profit that already counts towards the target, in USD; null when the network did not send it. */
function reachedOf({ profitTarget, remaining }: Account<Linked>["challenge"]): number | null {
  return profitTarget === null || remaining === null ? null : Math.max(0, profitTarget - remaining);
}
