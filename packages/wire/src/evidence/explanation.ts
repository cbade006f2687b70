import type { EvidenceBody, EvidencePosition, EvidenceQuote } from "./evidence-document.ts";

/** Describes the account's end in sentences, with the figures of the evidence document. */
export function endExplanation(
  { account, end, quotes, figures }: Pick<EvidenceBody, "account" | "end" | "quotes" | "figures">,
  { lines, after }: { readonly lines: number; readonly after: number },
): readonly string[] {
  return [
    `The account ${account.accountId} ended at ${timeOf(end.atMs)}. Its reason is ${end.reason}.`,
    ...limitSentences(end, figures),
    `Its balance was ${usd(figures.balance)}.`,
    ...figures.positions.map(positionSentence),
    ...(figures.equity === null
      ? []
      : [`Balance and open profit or loss together were an equity of ${usd(figures.equity)}.`]),
    ...quotes.map(quoteSentence),
    `Line ${end.sequence} of the ${lines} lines of its journal is the end. Each line has a hash over itself and all lines before it.`,
    ...(after === 0
      ? []
      : [
          `This evidence has the lines from ${after + 1} on, and the account as it was after line ${after}.`,
        ]),
  ];
}

function limitSentences(
  { rule, limitPct, equity, floor }: EvidenceBody["end"],
  { base }: EvidenceBody["figures"],
): readonly string[] {
  if (rule === null || equity === null || floor === null || base === null) {
    return ["No loss limit ended it."];
  }
  return [
    `The limit ${rule} allows a loss of ${limitPct} % of ${usd(base)}, so the equity may not be below ${usd(floor)}.`,
    `The equity that the limit measured was ${usd(equity)}.`,
  ];
}

function positionSentence(position: EvidencePosition): string {
  const { pair, quantity, averageEntryPrice, mark, unrealizedPnl } = position;
  const side = quantity < 0 ? "short" : "long";
  const held = `A ${side} position of ${Math.abs(quantity)} lots of ${pair}, entered at ${averageEntryPrice},`;
  return mark === null || unrealizedPnl === null
    ? `${held} had no price.`
    : `${held} was marked at ${mark}: ${usd(unrealizedPnl)}.`;
}

function quoteSentence({ pair, bid, ask, atMs, source }: EvidenceQuote): string {
  const from = source === null ? "" : ` from ${source}`;
  return `The quote of ${pair}${from} at ${timeOf(atMs)} was ${bid} bid and ${ask} ask.`;
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

function usd(value: number): string {
  return `${value} USD`;
}
