/** The notice that the licence of the chart library requires. */
export function ChartNotice() {
  return (
    <p className="mt-1 text-xs text-muted">
      Chart by{" "}
      <a className="underline" href="https://www.tradingview.com/" rel="noreferrer">
        TradingView
      </a>{" "}
      Lightweight Charts{"\u2122"}, {"\u00A9"} 2025 TradingView, Inc.
    </p>
  );
}
