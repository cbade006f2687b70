import type {
  AuditHeadView,
  ListItem,
  OperatorAnswer,
  OperatorEvents,
  OperatorPayout,
  OperatorPerson,
  OperatorTokenLine,
} from "@propgate/contract";
import { cellText, timeCell } from "../../operator-client.ts";
import { nameValueLines, tableLines } from "../../output.ts";
import type { Terminal } from "../../terminal.ts";

export function peopleTable(items: readonly OperatorPerson[]): readonly string[] {
  const rows = items.map(({ name, role, ownerId, disabledAtMs }) => [
    ...[name, role, ownerId].map(cellText),
    timeCell(disabledAtMs),
  ]);
  return tableLines(["name", "role", "owner", "disabled"], rows);
}

export function tokensTable(
  items: readonly OperatorTokenLine[],
  terminal: Terminal,
): readonly string[] {
  if (items.length === 0) return ["There is no named token."];
  const rows = items.map((token) => [
    cellText(token.name),
    tokenState(token, terminal.now()),
    timeCell(token.expiresAtMs),
    timeCell(token.lastUsedAtMs),
    cellText(token.lastUsedFrom),
  ]);
  return tableLines(["name", "state", "expires", "last used", "from"], rows);
}

function tokenState({ revokedAtMs, expiresAtMs }: OperatorTokenLine, nowMs: number): string {
  if (revokedAtMs !== null) return "revoked";
  return expiresAtMs <= nowMs ? "expired" : "active";
}

/** The lines about a new operator token, with its secret. */
export function addedTokenLines(added: OperatorAnswer<"tokens.add">): readonly string[] {
  return [
    ...nameValueLines([
      ["name", cellText(added.name)],
      ["expires", timeCell(added.expiresAtMs)],
    ]),
    "",
    "The token is shown only once:",
    `  export PROPGATE_OPERATOR_TOKEN=${added.token}`,
  ];
}

export function payoutsTable(items: readonly OperatorPayout[]): readonly string[] {
  if (items.length === 0) return ["No such payouts."];
  const rows = items.map((item) => [item.id, item.amount, statusOf(item)].map(cellText));
  return tableLines(["payout", "usd", "status"], rows);
}

/** The status of a payout. A restored payout is marked, because it may have been paid after the backup. */
function statusOf({ status, restored }: OperatorPayout): string | null {
  return restored ? `${status}, restored` : status;
}

export function payoutLines(payout: OperatorPayout): readonly string[] {
  return nameValueLines([
    ["payout", cellText(payout.id)],
    ["account", cellText(payout.accountId)],
    ["from", timeCell(payout.periodStartMs)],
    ["to", timeCell(payout.periodEndMs)],
    ["usd", cellText(payout.amount)],
    ["split", cellText(payout.profitSplit)],
    ["status", cellText(statusOf(payout))],
    ["rail", cellText(payout.rail)],
    ["provider", cellText(payout.provider)],
    ["reference", cellText(payout.reference)],
    ["paid usd", cellText(payout.paidAmount)],
    ["paid", timeCell(payout.paidAtMs)],
  ]);
}

export function auditProofLines({
  lines,
  head,
  broken,
}: OperatorAnswer<"audit.verify">): readonly string[] {
  return [
    ...nameValueLines([
      ["lines", cellText(lines)],
      ["head", headCell(head)],
    ]),
    "",
    broken === null ? "No line was altered." : `Line ${broken.auditId}: ${broken.problem}.`,
  ];
}

/** The head of the audit in the form of `--head`; empty without a head. */
export function headCell(head: AuditHeadView | null): string {
  return head === null ? "" : `${head.auditId}:${head.hash}`;
}

export function fundingTable(items: readonly ListItem<"funding.list">[]): readonly string[] {
  if (items.length === 0) return ["No funding rate is stored."];
  const rows = items.map(({ pair, atMs, rate, source }) => [
    cellText(pair),
    timeCell(atMs),
    cellText(rate),
    cellText(source),
  ]);
  return tableLines(["pair", "hour", "rate", "source"], rows);
}

/** The line about a funding rate. */
export function rateLine({ pair, rate, atMs }: OperatorAnswer<"funding.set">): string {
  return `${pair} ${rate} at ${timeCell(atMs)}`;
}

export function programsTable(items: readonly ListItem<"programs.list">[]): readonly string[] {
  const rows = items.map(({ id, variant, version, versions, addedAtMs }) => [
    ...[id, variant, version, versions].map(cellText),
    timeCell(addedAtMs),
  ]);
  return tableLines(["program", "variant", "version", "versions", "added"], rows);
}

/** The table of corporate actions. */
export function actionsTable(
  items: readonly ListItem<"corporateActions.list">[],
): readonly string[] {
  if (items.length === 0) return ["There is no corporate action."];
  const rows = items.map((action) => [
    cellText(action.id),
    cellText(action.pair),
    actionText(action),
    timeCell(action.atMs),
    cellText(action.status),
  ]);
  return tableLines(["action", "pair", "what", "at", "status"], rows);
}

type Action = OperatorAnswer<"corporateActions.cancel">;

/** The lines about a corporate action. */
export function actionLines(action: Action): readonly string[] {
  return nameValueLines([
    ["action", cellText(action.id)],
    ["pair", cellText(action.pair)],
    ["what", actionText(action)],
    ["at", timeCell(action.atMs)],
    ["status", cellText(action.status)],
  ]);
}

function actionText({ kind, newShares, oldShares, amount }: Action): string {
  return kind === "split" ? `split ${newShares}:${oldShares}` : `dividend ${amount}`;
}

export function eventsLines({ items, next }: OperatorEvents): readonly string[] {
  const rows = items.map((event) => [
    event.accountId,
    String(event.sequence),
    timeCell(event.atMs),
    event.type,
    event.cause.by,
  ]);
  return [
    ...(rows.length === 0
      ? ["No events."]
      : tableLines(["account", "#", "at", "type", "by"], rows)),
    "",
    `Next  --after ${next}`,
  ];
}
