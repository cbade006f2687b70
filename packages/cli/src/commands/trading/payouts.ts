import { type Linked, PAYOUT, type PayoutItem, type Payouts } from "@propgate/contract";
import type { Command } from "commander";
import { pairs, print, table } from "../../output.ts";
import { type ConnectionOptions, connectionOptions } from "../../profile/connection.ts";
import { columnsOf } from "../../render/csv.ts";
import { day, money, time, UNKNOWN } from "../../render/figures.ts";
import { progressOn } from "../../render/progress.ts";
import type { Terminal } from "../../terminal.ts";
import type { TradingService } from "../../trading/service.ts";
import { runRead } from "./read-command.ts";

interface EveryPayout {
  readonly items: readonly PayoutItem<Linked>[];
  readonly accrualStatus: Payouts<Linked>["accrualStatus"];
  readonly accrual: Payouts<Linked>["accrual"];
}

/** `propgate payouts`: lists the payouts of every page, and the estimate of the cycle in progress. */
export function addPayouts(program: Command, terminal: Terminal): void {
  const command = connectionOptions(program.command("payouts"))
    .summary("list every payout, and the estimate of this cycle")
    .description(
      "List every closed payout cycle, of all pages, newest first, and the estimate of the cycle in " +
        "progress. Money is USD.",
    );
  command.action(async () => {
    const options = command.optsWithGlobals<ConnectionOptions>();
    const all = await runRead(terminal, options, (service) => everyPayout(service, terminal));
    // CSV has a row for each payout and no estimate.
    const value = options.csv === true ? all.items : all;
    print(terminal, options, { value, columns: columnsOf(PAYOUT), lines: payoutLines(all) });
  });
}

async function everyPayout(service: TradingService, terminal: Terminal): Promise<EveryPayout> {
  const progress = progressOn(terminal);
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

function payoutLines({ items, accrual, accrualStatus }: EveryPayout): readonly string[] {
  const rows = items.map((item) => [
    day(item.periodStartMs),
    day(item.periodEndMs),
    money(item.amount),
    item.profitSplit,
    item.status ?? UNKNOWN,
    day(item.paidAtMs),
    money(item.paidAmount),
  ]);
  const list =
    rows.length === 0
      ? ["No cycle has paid yet."]
      : table(["from", "to", "usd", "split", "status", "paid", "paid usd"], rows);
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
    ...pairs([
      ["this cycle, estimated", money(accrual.estimatedAmount)],
      ["since", time(accrual.windowStartMs)],
      ["closed and not yet paid", money(accrual.priorUnpaidAmount)],
    ]),
  ];
}
