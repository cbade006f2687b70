import { type Account, fixedText, type Linked } from "@propgate/contract";
import {
  moneyText,
  percentText,
  plainText,
  signedMoneyText,
  signedPercentText,
} from "../../format/numbers.ts";
import { durationText } from "../../format/times.ts";
import { Facts, Figure, GainFigure } from "../../parts/figure.tsx";
import { Panel } from "../../parts/panel.tsx";

/**
 * The statistics of the account: the number of trades, open ones included, the figures of its closed trades, and its
 * best and worst day.
 */
export function Performance({ account }: { readonly account: Account<Linked> }) {
  const { performance } = account;
  const returns = performance.dailyReturns.map(({ value }) => value);
  const best = returns.length === 0 ? null : Math.max(...returns);
  const worst = returns.length === 0 ? null : Math.min(...returns);
  const { avgTradePnL: average } = performance;
  return (
    <Panel title="Performance">
      <Facts
        rows={[
          ["Trades (incl. open)", figure("totalTrades", performance.totalTrades, plainText)],
          ["Winning trades", figure("totalWins", performance.totalWins, plainText)],
          ["Win rate", figure("winRate", performance.winRate, percentText)],
          [
            "Average trade (net)",
            <GainFigure
              key="average"
              value={average}
              as={signedMoneyText}
              field="performance.avgTradePnL"
              unit="USD"
            />,
          ],
          [
            "Average holding time",
            figure("tradeDurationMs", performance.tradeDurationMs, durationText),
          ],
          [
            "Realized PnL (gross)",
            <GainFigure
              key="realized"
              value={account.account.totalRealizedPnl}
              as={signedMoneyText}
              field="account.totalRealizedPnl"
              unit="USD"
            />,
          ],
          ["Best day", <GainFigure key="best" value={best} as={signedPercentText} />],
          ["Worst day", <GainFigure key="worst" value={worst} as={signedPercentText} />],
        ]}
      />
    </Panel>
  );
}

function figure(
  name: keyof Account<Linked>["performance"],
  value: number | null,
  as: (value: number | null | undefined) => string,
) {
  return <Figure key={name} value={value} as={as} field={`performance.${name}`} />;
}

/**
 * Balance, closed and open PnL, the capital that is used and available, the value of the positions, and the leverage.
 */
export function Capital({ account }: { readonly account: Account<Linked> }) {
  const figures = account.account;
  const money = (name: "currentBalance" | "buyingPower" | "availableMargin" | "capitalUsed") => (
    <Figure key={name} value={figures[name]} as={moneyText} field={`account.${name}`} unit="USD" />
  );
  const gain = (name: "balanceChange" | "openPnL") => (
    <GainFigure
      key={name}
      value={figures[name]}
      as={signedMoneyText}
      field={`account.${name}`}
      unit="USD"
    />
  );
  return (
    <Panel title="Capital">
      <Facts
        rows={[
          ["Balance", money("currentBalance")],
          ["Closed PnL (net)", gain("balanceChange")],
          ["Open PnL", gain("openPnL")],
          ["Buying power", money("buyingPower")],
          ["Available margin", money("availableMargin")],
          ["Capital used (entry)", money("capitalUsed")],
          [
            "Open position value",
            <Figure
              key="value"
              value={figures.portfolioBalanceBreakdown.sumPositionValue}
              as={moneyText}
              field="account.portfolioBalanceBreakdown.sumPositionValue"
              unit="USD"
            />,
          ],
          [
            "Leverage (current / max)",
            <span key="leverage">
              <Figure
                value={figures.currentLeverage}
                as={leverageText}
                field="account.currentLeverage"
              />
              <span className="text-muted"> / </span>
              <Figure value={figures.maxLeverage} as={capText} field="account.maxLeverage" />
            </span>,
          ],
        ]}
      />
    </Panel>
  );
}

function leverageText(value: number | null | undefined): string {
  return value === null || value === undefined ? plainText(value) : `${fixedText(value, 4)}x`;
}

function capText(value: number | null | undefined): string {
  return value === null || value === undefined ? plainText(value) : `${plainText(value)}x`;
}
