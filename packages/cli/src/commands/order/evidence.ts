import type { OrderEvidence, OrderOutcome } from "@propgate/sdk";

/** How the fate of an order is known, a line for each thing that was learnt, in its order. */
export function evidenceLines(outcome: OrderOutcome): readonly string[] {
  if (outcome.fate === "accepted" && outcome.evidence.length === 0) {
    return ["the service answered 200"];
  }
  return withoutRepeats(outcome.evidence.map(sentence));
}

function sentence(evidence: OrderEvidence): string {
  switch (evidence.kind) {
    case "answer":
      return `the service answered ${evidence.rejection.status}: ${evidence.rejection.error}`;
    case "noAnswer":
      return `no clear answer: ${evidence.what}`;
    case "receipt":
      return `its receipt says ${evidence.receipt.fate}`;
    case "noReceipts":
      return "this service keeps no receipts";
    case "nonceWithdrawn":
      return "its nonce was used up by a read, so that it is refused if it still arrives";
    case "nonceUsed":
      return "its nonce has been used, so the service has seen it";
    case "listings":
      return `the account lists ${evidence.orders.length} orders, ${evidence.positions.length} positions, ${evidence.trades.length} trades`;
  }
}

/** What was asked ten times with one answer is said once. */
function withoutRepeats(lines: readonly string[]): readonly string[] {
  const said = new Map<string, number>();
  for (const line of lines) said.set(line, (said.get(line) ?? 0) + 1);
  return [...said].map(([line, times]) => (times === 1 ? line : `${line} (${times} times)`));
}
