import { INSTRUMENT, type InstrumentItem, type Linked } from "@propgate/contract";
import type { Command } from "commander";
import { tableLines } from "../../output.ts";
import { columnsOf } from "../../render/csv.ts";
import {
  decimalMultipleText,
  decimalText,
  minuteText,
  moneyText,
  stepText,
  UNKNOWN_TEXT,
} from "../../render/figures.ts";
import type { Paint } from "../../render/paint.ts";
import type { Terminal } from "../../terminal.ts";
import { addImportInstruments } from "./import-instruments.ts";
import { addReadCommand } from "./read-command.ts";

/** `propgate instruments`: lists the pairs. */
export function addInstruments(program: Command, terminal: Terminal): void {
  const command = addReadCommand(program, terminal, {
    name: "instruments",
    summary: "list the pairs: lots, grid, ticks, caps, hours",
    description:
      "List the pairs that can be traded and the limits of their orders. MIN is a number of lots, or " +
      "with a $ a value in USD; STEP is in lots. Times are UTC; --json has fees, carry and every other field.",
    run: async (service, paint) => {
      const instruments = await service.instruments();
      return {
        value: instruments,
        columns: columnsOf(INSTRUMENT),
        lines: instrumentLines(instruments, paint),
      };
    },
  });
  addImportInstruments(command, terminal);
}

const COLUMNS = ["pair", "one lot", "step", "tick", "min", "cap", "market", "until"];

function instrumentLines(
  instruments: readonly InstrumentItem<Linked>[],
  paint: Paint,
): readonly string[] {
  if (instruments.length === 0) return ["Nothing can be traded."];
  const rows = instruments.map((one) => [
    nameCell(one, paint),
    one.lotUnit ?? UNKNOWN_TEXT,
    decimalText(one.gridStep),
    stepText(one.tick),
    minimumOf(one),
    decimalMultipleText(one.leverageCap),
    marketCell(one, paint),
    minuteText(one.changesAtMs),
  ]);
  return tableLines(COLUMNS, rows);
}

/** The pair, and its aliases. */
function nameCell({ tradePairDisplay, aliases }: InstrumentItem<Linked>, paint: Paint): string {
  return aliases.length === 0
    ? tradePairDisplay
    : `${tradePairDisplay} ${paint.dim(aliases.join(" "))}`;
}

function minimumOf(one: InstrumentItem<Linked>): string {
  if (one.leastQuantity !== null) return decimalText(one.leastQuantity);
  return one.leastValue === null ? UNKNOWN_TEXT : `$${moneyText(one.leastValue)}`;
}

function marketCell(one: InstrumentItem<Linked>, paint: Paint): string {
  if (!one.isTradable) return paint.dim("off");
  if (one.isOpen === null) return UNKNOWN_TEXT;
  return one.isOpen ? paint.good("open") : paint.warn("closed");
}
