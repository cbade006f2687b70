import type { PositionItem } from "@propgate/contract";
import type { Command } from "commander";
import { CliError, EXIT, usageError } from "../../cli-error.ts";
import type { Terminal } from "../../terminal.ts";
import { field, type TradeFields } from "./fields.ts";
import { type SendOptions, sendOptions, sendOrder } from "./send-order.ts";

interface CancelOptions extends SendOptions {
  readonly all?: boolean;
  readonly pair?: string;
}

/** `propgate order cancel`. */
export function addCancel(order: Command, terminal: Terminal): void {
  const command = sendOptions(order.command("cancel"))
    .summary("cancel resting orders and legs")
    .description("Cancel the orders and legs with these ids, or with --all everything that rests.")
    .argument("[order-id...]", "ids of `propgate orders`")
    .option("--all", "everything that rests")
    .option("--pair <pair>", "with --all: of this pair only");
  command.action((ids: readonly string[]) =>
    sendOrder<CancelOptions>({
      ...{ command, terminal },
      build: (options) => cancelFields(ids, options),
    }),
  );
}

function cancelFields(ids: readonly string[], options: CancelOptions): TradeFields {
  const all = options.all === true;
  if (all === ids.length > 0) {
    throw usageError(
      all ? "--all and ids exclude each other" : "no order is named",
      "Name ids of `propgate orders`, or take --all.",
    );
  }
  if (options.pair !== undefined && !all) throw usageError("--pair is for --all only");
  return {
    execution_type: "LIMIT_CANCEL",
    order_uuid: all ? "ALL" : ids.join(","),
    ...field("trade_pair", options.pair),
  };
}

/** `propgate order flat`. */
export function addFlat(order: Command, terminal: Terminal): void {
  const command = sendOptions(order.command("flat"))
    .summary("close every position, or the named ones, at the market")
    .description(
      "Close every open position at the market, or those with these ids. Entry orders go on resting.",
    )
    .argument("[position-id...]", "ids of `propgate positions`; none is all of them");
  command.action((ids: readonly string[]) =>
    sendOrder({
      ...{ command, terminal },
      build: async (_, service) => {
        const whole = ids.every((id) => id.length >= WHOLE_ID);
        const named = whole ? ids : namedBy(ids, await service.positions());
        return {
          execution_type: "FLAT_ALL",
          ...field("order_uuid", named.length === 0 ? undefined : named.join(",")),
        };
      },
    }),
  );
}

/** Characters of a UUID. */
const WHOLE_ID = 36;

/** The whole ids of open positions, for what may be their first characters only. */
export function namedBy(
  ids: readonly string[],
  positions: readonly PositionItem[],
): readonly string[] {
  return ids.map((id) => {
    const found = positions.filter(({ positionUuid }) => positionUuid.startsWith(id));
    const [one, ...more] = found.map(({ positionUuid }) => positionUuid);
    if (one !== undefined && more.length === 0 && id.length >= 4) return one;
    throw new CliError({
      message:
        one === undefined
          ? `no open position has the id ${id}`
          : `${id} is too short to name one position`,
      fix: "See what is open with: propgate positions. Nothing was sent.",
      exitCode: one === undefined ? EXIT.refused : EXIT.usage,
    });
  });
}
