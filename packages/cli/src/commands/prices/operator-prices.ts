import type { PriceChoiceView, PriceEffectView } from "@propgate/contract";
import { type Command, Option } from "commander";
import { usageError } from "../../cli-error.ts";
import {
  addOperatorOptions,
  connectOperator,
  type OperatorOptions,
  timeCell,
} from "../../operator-client.ts";
import { printResult } from "../../output.ts";
import type { Terminal } from "../../terminal.ts";

type Change = "use" | "auto" | "halt";

interface ChangeOptions extends OperatorOptions {
  readonly far?: boolean;
  readonly dryRun?: boolean;
  readonly reason?: string;
  readonly seen?: string;
}

/**
 * `propgate operator prices use|auto|halt`: chooses the price source of a pair, leaves the choice to the service again,
 * or halts the pair.
 */
export function addOperatorPrices(operator: Command, terminal: Terminal): void {
  const prices = operator
    .command("prices")
    .summary("the prices and the price source of each pair: list, choose, halt");
  addChange(prices, terminal, {
    kind: "use",
    summary: "use one source alone for a pair, until auto is chosen",
  });
  addChange(prices, terminal, {
    kind: "auto",
    summary: "use the first source by priority again; lifts a halt",
  });
  addChange(prices, terminal, {
    kind: "halt",
    summary: "halt a pair: no quotes, orders rejected, triggers wait",
  });
}

function addChange(
  prices: Command,
  terminal: Terminal,
  { kind, summary }: { readonly kind: Change; readonly summary: string },
): void {
  const command = addOperatorOptions(prices.command(kind))
    .summary(summary)
    .argument("<pair>", "the pair, such as BTCUSD or BTC/USD");
  if (kind === "use") addSource(command);
  const reason = new Option("--reason <text>", "why, for the audit and the console");
  command
    .addOption(kind === "halt" ? reason.makeOptionMandatory() : reason)
    .option("--seen <version>", "refuse when the pair's choice is no longer this one; 0 is none");
  command.action(async () => {
    const options = command.optsWithGlobals<ChangeOptions>();
    const [pair = "", source = ""] = command.args;
    const { reason: given } = options;
    const rest = {
      ...(given === undefined ? {} : { reason: given }),
      ...versionOf(options),
    };
    const call = await connectOperator(terminal, options);
    const id = pair.toUpperCase();
    if (kind === "use") {
      if (options.dryRun === true) {
        const effect = await call("prices.effect", { id, query: { source } });
        printResult(terminal, options, { value: effect, lines: effectLines(effect) });
        return;
      }
      const far = options.far === true ? { far: true } : {};
      const value = await call("prices.use", { id, body: { source, ...far, ...rest } });
      printResult(terminal, options, {
        value,
        lines: [doneLine(value), ...effectLines(value.effect)],
      });
      return;
    }
    const value =
      kind === "auto"
        ? await call("prices.auto", { id, body: rest })
        : await call("prices.halt", { id, body: { ...rest, reason: given ?? "" } });
    printResult(terminal, options, { value, lines: [doneLine(value)] });
  });
}

function addSource(command: Command): void {
  command
    .argument("<source>", "one of the pair's sources, such as kraken")
    .option("--dry-run", "only show both prices, their distance, and who holds what they reach")
    .option("--far", "accept a price of the source beyond the pair's limit");
}

function effectLines(effect: PriceEffectView): readonly string[] {
  const { from, to, distancePct, limitPct, isFar, holders, triggers, triggeredAccounts } = effect;
  const distance =
    distancePct === null
      ? "unknown"
      : `${Number(distancePct.toPrecision(3))} % (limit ${limitPct} %)${isFar ? ", needs --far" : ""}`;
  return [
    `price left      ${sidesText(from)}`,
    `price taken     ${sidesText(to)}`,
    `distance        ${distance}`,
    `holders         ${holders}`,
    `would act       ${triggers} in ${triggeredAccounts} ${triggeredAccounts === 1 ? "account" : "accounts"}`,
  ];
}

function sidesText(price: PriceEffectView["from"]): string {
  if (price === null) return "none";
  const source = price.source === null ? "" : ` of ${price.source}`;
  return `${price.bid} / ${price.ask}${source} at ${timeCell(price.atMs)}`;
}

function versionOf({ seen: version }: ChangeOptions): { readonly version?: number } {
  if (version === undefined) return {};
  if (/^\d{1,9}$/.test(version)) return { version: Number(version) };
  throw usageError(
    `--seen is not a whole number: ${version}`,
    "operator prices list --json shows it.",
  );
}

function doneLine(choice: Pick<PriceChoiceView, "pair" | "kind" | "source">): string {
  const { pair, kind, source } = choice;
  if (kind === "halt") return `${pair} is halted`;
  return kind === "auto"
    ? `${pair} uses its sources by priority`
    : `${pair} uses ${source ?? ""} alone`;
}
