import { type Linked, PAYOUT, type PayoutItem, type Payouts } from "@propgate/contract";
import type { Command } from "commander";
import { nameValueLines, printResult, tableLines } from "../../output.ts";
import { addConnectionOptions, type ConnectionOptions } from "../../profile/connection.ts";
import { columnsOf } from "../../render/csv.ts";
import { dayText, moneyText, timeText, UNKNOWN_TEXT } from "../../render/figures.ts";
import { createProgress } from "../../render/progress.ts";
import type { Terminal } from "../../terminal.ts";
import type { TradingService } from "../../trading/service.ts";
import { runRead } from "./read-command.ts";

interface AllPayouts {
  readonly items: readonly PayoutItem<Linked>[];
  readonly accrualStatus: Payouts<Linked>["accrualStatus"];
  readonly accrual: Payouts<Linked>["accrual"];
}

/** `propgate payouts`: lists the payouts of every page, and the estimate of the cycle in progress. */
export function addPayouts(program: Command, terminal: Terminal): void {
  const command = addConnectionOptions(program.command("payouts"))
    .summary("list every payout, and the estimate of this cycle")
    .description(
      "List every closed payout cycle, of all pages, newest first, and the estimate of the cycle in " +
        "progress. Money is USD.",
    );
  command.action(async () => {
    const options = command.optsWithGlobals<ConnectionOptions>();
    const all = await runRead(terminal, options, (service) => readAllPayouts(service, terminal));
    // CSV has a row for each payout and no estimate.
    const value = options.csv === true ? all.items : all;
    printResult(terminal, options, { value, columns: columnsOf(PAYOUT), lines: payoutLines(all) });
  });
}

async function readAllPayouts(service: TradingService, terminal: Terminal): Promise<AllPayouts> {
  const progress = createProgress(terminal);
  const items: PayoutItem<Linked>[] = [];
  let first: Payouts<Linked> | null = null;
  try {
    for await (const page of service.payoutPages()) {
      first ??= page;
      items.push(...page.items);
      if (page.nextCursor !== null) progress.show(`${items.length} payouts so far`);
    }
  } finally {
    progress.end();
  }
  return {
    items,
    accrualStatus: first?.accrualStatus ?? "unavailable",
    accrual: first?.accrual ?? null,
  };
}

function payoutLines({ items, accrual, accrualStatus }: AllPayouts): readonly string[] {
  const rows = items.map((item) => [
    dayText(item.periodStartMs),
    dayText(item.periodEndMs),
    moneyText(item.amount),
    item.profitSplit,
    item.status ?? UNKNOWN_TEXT,
    dayText(item.paidAtMs),
    moneyText(item.paidAmount),
  ]);
  const list =
    rows.length === 0
      ? ["No cycle has paid yet."]
      : tableLines(["from", "to", "usd", "split", "status", "paid", "paid usd"], rows);
  return [...list, "", ...accrualLines(accrual, accrualStatus)];
}

const STATUS_WORDS: Readonly<Record<Payouts<Linked>["accrualStatus"], string>> = {
  ok: "",
  not_applicable: "This account earns no payouts in its phase.",
  unavailable: "The estimate is not available now. Try again.",
  omitted: "",
};

function accrualLines(
  accrual: Payouts<Linked>["accrual"],
  status: Payouts<Linked>["accrualStatus"],
): readonly string[] {
  const words = STATUS_WORDS[status];
  const notes = words === "" ? [] : [words];
  if (accrual === null) return notes;
  return [
    ...notes,
    ...nameValueLines([
      ["this cycle, estimated", moneyText(accrual.estimatedAmount)],
      ["since", timeText(accrual.windowStartMs)],
      ["closed and not yet paid", moneyText(accrual.priorUnpaidAmount)],
    ]),
  ];
}
