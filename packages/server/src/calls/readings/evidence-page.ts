import type { EvidenceBody } from "@propgate/wire";

/**
 * The evidence as a page without scripts: the end, its figures and how to check it. Only the file has the journal
 * lines.
 */
export function renderEvidencePage(
  { account, end, program, explanation, figures, quotes, lines, head }: EvidenceBody,
  signature: { readonly keyId: string; readonly value: string },
): string {
  const positions = figures.positions.map((one) => [
    one.pair,
    one.quantity,
    one.lot,
    one.averageEntryPrice,
    one.mark,
    one.rate,
    one.unrealizedPnl,
  ]);
  const given = quotes.map(({ pair, bid, ask, atMs, source }) => [
    pair,
    bid,
    ask,
    new Date(atMs).toISOString(),
    source,
  ]);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Evidence of ${escapeHtml(account.accountId)}</title></head>
<body>
<h1>The end of an account</h1>
${explanation.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join("\n")}
<h2>Figures</h2>
${htmlTable(["balance", "equity", "base", "floor"], [[figures.balance, figures.equity, figures.base, figures.floor]])}
<p>Each position is worth (mark − entry) × quantity × lot × rate. Equity is the balance and their sum.</p>
${htmlTable(["pair", "quantity", "lot", "entry", "mark", "rate", "USD"], positions)}
<h2>Quotes</h2>
${htmlTable(["pair", "bid", "ask", "time", "source"], given)}
<h2>How to check it</h2>
${htmlTable(
  ["part", "value"],
  [
    ["account", account.accountId],
    ["program", `${program.id}, version ${program.version}, SHA-256 ${program.hash}`],
    ["reason", end.reason],
    ["line of the end", end.sequence],
    ["lines", `${lines[0]?.sequence ?? 0} to ${head.sequence}`],
    ["hash of the last line", head.hash],
    ["key", signature.keyId],
    ["signature", signature.value],
  ],
)}
<p>The file of this evidence has all lines. <code>propgate evidence verify FILE --key FILE</code> checks it with the answer of <code>/api/v1/evidence-keys</code>.</p>
</body>
</html>
`;
}

type Value = string | number | null;

function htmlTable(names: readonly string[], rows: readonly (readonly Value[])[]): string {
  const row = (tag: string, cells: readonly Value[]) =>
    `<tr>${cells.map((one) => `<${tag}>${escapeHtml(String(one ?? "not known"))}</${tag}>`).join("")}</tr>`;
  return `<table>${row("th", names)}${rows.map((cells) => row("td", cells)).join("")}</table>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
