import type {
  ClosedAccount,
  OperatorAccount,
  OperatorAnswer,
  OperatorKey,
  PersonLinkView,
} from "@propgate/contract";
import { cellText, timeCell } from "../../operator-client.ts";
import { nameValueLines, tableLines } from "../../output.ts";
import type { Terminal } from "../../terminal.ts";

export function accountsTable(
  items: readonly OperatorAccount[],
  { invocation }: Terminal,
): readonly string[] {
  if (items.length === 0) {
    return [
      "There is no account. Open one with:",
      `  ${invocation} operator accounts open --size 100000`,
    ];
  }
  // Most services have one network, and without its column the table fits into 80 columns.
  const hasLinked = items.some(({ network }) => network !== "embedded");
  const rows = items.map(({ accountId, network, status, phase, size, balance }) =>
    [accountId, ...(hasLinked ? [network] : []), status, phase, size, balance].map(cellText),
  );
  const head = ["account", ...(hasLinked ? ["network"] : []), "status", "phase", "size", "balance"];
  return tableLines(head, rows);
}

/** The lines about an account that was opened or linked. */
export function openedAccountLines(
  { accountId }: { readonly accountId: string },
  { invocation }: Terminal,
): readonly string[] {
  return [
    ...nameValueLines([["account", accountId]]),
    "",
    "Create a key for it:",
    `  ${invocation} operator keys create --account ${accountId}`,
  ];
}

/** The lines about an account that was closed: its payout and the forfeited amount. */
export function closedAccountLines({
  accountId,
  payout,
  forfeited,
}: ClosedAccount): readonly string[] {
  const owed = payout === null ? [] : [`${payout.amount} USD to pay: ${payout.id}`];
  const lost = forfeited === null || forfeited === 0 ? [] : [`${forfeited} USD forfeited`];
  return [`${accountId} closed`, ...owed, ...lost];
}

export function keysTable(items: readonly OperatorKey[], terminal: Terminal): readonly string[] {
  if (items.length === 0) return ["There is no key."];
  const rows = items.map((key) => [
    cellText(key.keyId),
    cellText(key.label),
    keyState(key, terminal.now()),
    cellText(key.scopes).replaceAll("trade:", ""),
    timeCell(key.lastUsedAtMs),
  ]);
  return tableLines(["key", "label", "state", "scopes", "last used"], rows);
}

function keyState({ revokedAtMs, expiresAtMs, pausedAtMs }: OperatorKey, nowMs: number): string {
  if (revokedAtMs !== null) return "revoked";
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return "expired";
  return pausedAtMs === null ? "active" : "paused";
}

/** The lines about a new key, with its secret. */
export function createdKeyLines(key: OperatorAnswer<"keys.create">): readonly string[] {
  return [
    ...nameValueLines([
      ["account", key.accountId],
      ["scopes", cellText(key.scopes)],
    ]),
    "",
    "The secret is shown only once:",
    `  export PROPGATE_KEY_ID=${key.keyId}`,
    `  export PROPGATE_SECRET=${key.secret}`,
  ];
}

/** The lines with a person's one-time link. */
export function personLinkLines({ url, expiresAtMs }: PersonLinkView): readonly string[] {
  return [
    `Open this link to choose a password. It works once, until ${timeCell(expiresAtMs)}:`,
    `  ${url}`,
  ];
}
