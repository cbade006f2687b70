import type { Account, Linked } from "@propgate/contract";
import {
  moneyText,
  percentText,
  signedMoneyText,
  signedPercentText,
} from "../../format/numbers.ts";
import { Figure, Tile, toneOf } from "../../parts/figure.tsx";
import { Meter } from "../../parts/meter.tsx";

const NOT_VALUED = "unknown until every open position has a price";

/** The main figures; null while the open positions cannot be valued. */
export function Tiles({ account }: { readonly account: Account<Linked> | null }) {
  const figures = account?.account;
  return (
    <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
      <Tile
        label="Equity"
        note={
          figures === undefined ? (
            NOT_VALUED
          ) : (
            <>
              <Figure
                value={figures.totalPnL}
                as={signedMoneyText}
                field="account.totalPnL"
                tone={toneOf(figures.totalPnL)}
              />{" "}
              <Figure
                value={figures.totalPnLPercent}
                as={signedPercentText}
                field="account.totalPnLPercent"
                tone={toneOf(figures.totalPnLPercent)}
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
      <Tile
        label="Balance"
        note={
          figures === undefined ? (
            NOT_VALUED
          ) : (
            <>
              <Figure
                value={figures.balanceChange}
                as={signedMoneyText}
                field="account.balanceChange"
                tone={toneOf(figures.balanceChange)}
              />{" "}
              closed, net of fees
            </>
          )
        }
      >
        <Figure
          value={figures?.currentBalance}
          as={moneyText}
          field="account.currentBalance"
          unit="USD"
        />
      </Tile>
      <Tile label="Open PnL" note={<OpenNote account={account} />}>
        <Figure
          value={figures?.openPnL}
          as={signedMoneyText}
          field="account.openPnL"
          tone={toneOf(figures?.openPnL)}
          unit="USD"
        />
      </Tile>
      <TargetTile account={account} />
    </div>
  );
}

function OpenNote({ account }: { readonly account: Account<Linked> | null }) {
  if (account === null) return NOT_VALUED;
  const figures = account.account;
  const count = figures.openPositions;
  return (
    <>
      <Figure
        value={figures.openPnLPercent}
        as={signedPercentText}
        field="account.openPnLPercent"
        tone={toneOf(figures.openPnLPercent)}
      />{" "}
      in {count} {count === 1 ? "position" : "positions"}
    </>
  );
}

function TargetTile({ account }: { readonly account: Account<Linked> | null }) {
  const target = account?.challenge.profitTarget;
  if (account?.evaluation.isEliminated === true) return <EndedTarget account={account} />;
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

/** The target of the last phase of an ended account, without what remained. */
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

function TargetNote({ account }: { readonly account: Account<Linked> | null }) {
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

/** The reached part of the target, USD; null when the network did not send it. */
function reachedOf({ profitTarget, remaining }: Account<Linked>["challenge"]): number | null {
  return profitTarget === null || remaining === null ? null : Math.max(0, profitTarget - remaining);
}
