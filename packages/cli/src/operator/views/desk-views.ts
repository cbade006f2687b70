import type {
  AuditHeadView,
  ListItem,
  OperatorAnswer,
  OperatorEvents,
  OperatorPayout,
  OperatorPerson,
  OperatorTokenLine,
} from "@propgate/contract";
import { cell, timeCell } from "../../operator-client.ts";
import { pairs, table } from "../../output.ts";
import type { Terminal } from "../../terminal.ts";

export function peopleTable(items: readonly OperatorPerson[]): readonly string[] {
  const rows = items.map(({ name, role, ownerId, disabledAtMs }) => [
    ...[name, role, ownerId].map(cell),
    timeCell(disabledAtMs),
  ]);
  return table(["name", "role", "owner", "disabled"], rows);
}

export function tokensTable(
  items: readonly OperatorTokenLine[],
  terminal: Terminal,
): readonly string[] {
  if (items.length === 0) return ["There is no named token."];
  const rows = items.map((token) => [
    cell(token.name),
    tokenState(token, terminal.now()),
    timeCell(token.expiresAtMs),
    timeCell(token.lastUsedAtMs),
    cell(token.lastUsedFrom),
  ]);
  return table(["name", "state", "expires", "last used", "from"], rows);
}

function tokenState({ revokedAtMs, expiresAtMs }: OperatorTokenLine, nowMs: number): string {
  if (revokedAtMs !== null) return "revoked";
  return expiresAtMs <= nowMs ? "expired" : "active";
}

export function addedTokenLines(added: OperatorAnswer<"tokens.add">): readonly string[] {
  return [
    ...pairs([
      ["name", cell(added.name)],
      ["expires", timeCell(added.expiresAtMs)],
    ]),
    "",
    "The token is shown only once:",
    `  export PROPGATE_OPERATOR_TOKEN=${added.token}`,
  ];
}

export function payoutsTable(items: readonly OperatorPayout[]): readonly string[] {
  if (items.length === 0) return ["No such payouts."];
  const rows = items.map((item) => [item.id, item.amount, statusOf(item)].map(cell));
  return table(["payout", "usd", "status"], rows);
}

/** The status of a payout. A restored payout is marked, because it may have been paid after the backup. */
function statusOf({ status, restored }: OperatorPayout): string | null {
  return restored ? `${status}, restored` : status;
}

export function payoutLines(payout: OperatorPayout): readonly string[] {
  return pairs([
    ["payout", cell(payout.id)],
    ["account", cell(payout.accountId)],
    ["from", timeCell(payout.periodStartMs)],
    ["to", timeCell(payout.periodEndMs)],
    ["usd", cell(payout.amount)],
    ["split", cell(payout.profitSplit)],
    ["status", cell(statusOf(payout))],
    ["rail", cell(payout.rail)],
    ["provider", cell(payout.provider)],
    ["reference", cell(payout.reference)],
    ["paid usd", cell(payout.paidAmount)],
    ["paid", timeCell(payout.paidAtMs)],
  ]);
}

export function auditProofLines({
  lines,
  head,
  broken,
}: OperatorAnswer<"audit.verify">): readonly string[] {
  return [
    ...pairs([
      ["lines", cell(lines)],
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
    cell(pair),
    timeCell(atMs),
    cell(rate),
    cell(source),
  ]);
  return table(["pair", "hour", "rate", "source"], rows);
}

export function rateLine({ pair, rate, atMs }: OperatorAnswer<"funding.set">): string {
  return `${pair} ${rate} at ${timeCell(atMs)}`;
}

export function programsTable(items: readonly ListItem<"programs.list">[]): readonly string[] {
  const rows = items.map(({ id, variant, version, versions, addedAtMs }) => [
    ...[id, variant, version, versions].map(cell),
    timeCell(addedAtMs),
  ]);
  return table(["program", "variant", "version", "versions", "added"], rows);
}

export function actionsTable(
  items: readonly ListItem<"corporateActions.list">[],
): readonly string[] {
  if (items.length === 0) return ["There is no corporate action."];
  const rows = items.map((action) => [
    cell(action.id),
    cell(action.pair),
    actionText(action),
    timeCell(action.atMs),
    cell(action.status),
  ]);
  return table(["action", "pair", "what", "at", "status"], rows);
}

type Action = OperatorAnswer<"corporateActions.cancel">;

export function actionLines(action: Action): readonly string[] {
  return pairs([
    ["action", cell(action.id)],
    ["pair", cell(action.pair)],
    ["what", actionText(action)],
    ["at", timeCell(action.atMs)],
    ["status", cell(action.status)],
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
    ...(rows.length === 0 ? ["No events."] : table(["account", "#", "at", "type", "by"], rows)),
    "",
    `Next  --after ${next}`,
  ];
}
