import type { OrderEvidence, OrderOutcome } from "@propgate/sdk";

/**
 * The evidence for the fate of an order: one line for each fact, oldest first. A fact that repeats has one line with
 * the number of its occurrences.
 */
export function evidenceLines(outcome: OrderOutcome): readonly string[] {
  if (outcome.fate === "accepted" && outcome.evidence.length === 0) {
    return ["the service answered 200"];
  }
  return withoutRepeats(outcome.evidence.map(evidenceSentence));
}

function evidenceSentence(evidence: OrderEvidence): string {
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
      return "a read used its nonce, so the order is rejected if it still arrives";
    case "nonceUsed":
      return "its nonce was used before, so the service has received it";
    case "listings":
      return `the account lists ${evidence.orders.length} orders, ${evidence.positions.length} positions, ${evidence.trades.length} trades`;
  }
}

/** The lines without repetitions; a line that repeats is printed once with its count. */
function withoutRepeats(lines: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, times]) => (times === 1 ? line : `${line} (${times} times)`));
}
