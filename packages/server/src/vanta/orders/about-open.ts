import {
  type CancelOrders,
  type Direction,
  type EditOrder,
  type Flatten,
  type OrderCommand,
  orderUuid,
  type PairId,
  type PairNames,
  type PlaceBracket,
  positionUuid,
  type Refusal,
} from "@propgate/core";
import type { LinkedReadings } from "../dashboard/linked-readings.ts";
import { pendingOrders } from "./fate/found-order.ts";

/** The account as it was read last, with the network's pairs. */
export interface SightBefore {
  readonly readings: LinkedReadings | null;
  readonly pairOf: PairNames;
}

/** A command as it is sent, or why it is not. */
export type ReadyCommand =
  /** `kept` is the command by which its fate is found. */
  | { readonly kind: "ready"; readonly sent: OrderCommand; readonly kept: OrderCommand }
  /** The account would have to be known, and is not. */
  | { readonly kind: "unread" }
  | { readonly kind: "refused"; readonly refusal: Refusal };

type Seen = Omit<SightBefore, "readings"> & { readonly readings: LinkedReadings };

/**
 * The network has no FLAT_ALL of one pair, ignores a pair beside ids, and replaces a wrong direction of a leg. So the
 * service compares them with the account, and sends ids. @rule D13.pairOfIds D13.ownDirection
 */
export function readyCommand(command: OrderCommand, sight: SightBefore): ReadyCommand {
  const { readings } = sight;
  if (readings === null) return comparesNothing(command) ? ready(command) : { kind: "unread" };
  const seen = { ...sight, readings };
  if (command.type === "flatten") {
    return command.target === "all" ? readyFlatAll(command, seen) : readyIds(command, seen);
  }
  if (command.type === "cancelOrders" && command.target !== "all") return readyIds(command, seen);
  if (command.type === "placeBracket") {
    return comparedWith(command, command.repeatedDirection, positionOf(command, seen));
  }
  if (command.type === "editOrder") {
    return comparedWith(command, editDirection(command), orderOf(command, seen));
  }
  return ready(command);
}

/** True for a command that can be sent although the account is not known. */
function comparesNothing(command: OrderCommand): boolean {
  if (command.type === "flatten" && command.pair !== null) return false;
  const isIdList = command.type === "cancelOrders" && command.target !== "all";
  if (isIdList && command.pair !== null) return false;
  const { repeatedDirection } = {
    repeatedDirection: undefined,
    ...(command.type === "editOrder" ? command.replacement : command),
  };
  return repeatedDirection === undefined;
}

function ready(sent: OrderCommand, kept = sent): ReadyCommand {
  return { kind: "ready", sent, kept };
}

function readyFlatAll(command: Flatten, { readings, pairOf }: Seen): ReadyCommand {
  if (command.pair === null) return ready(command);
  const ids = Object.values(readings.positions)
    .filter(({ pairDisplay }) => pairOf(pairDisplay) === command.pair)
    .map(({ uuid }) => positionUuid(uuid));
  return ready({ ...command, target: ids, pair: null });
}

/** An order or position of a list. */
interface Named {
  readonly uuid: string;
  readonly pair: PairId | null;
  readonly direction: Direction | null;
}

function readyIds(command: CancelOrders | Flatten, seen: Seen): ReadyCommand {
  if (command.target === "all") return ready(command);
  const { pair, repeatedDirection } = command;
  const ids: readonly string[] = command.target;
  const named = (command.type === "flatten" ? positions(seen) : orders(seen)).filter(({ uuid }) =>
    ids.includes(uuid),
  );
  const others = named.filter((one) => pair !== null && one.pair !== pair).map(({ uuid }) => uuid);
  const left = ids.filter((id) => !others.includes(id));
  const [first = ""] = ids;
  if (left.length === 0 && pair !== null) {
    const refusal: Refusal =
      command.type === "flatten"
        ? { code: "unknownPosition", positionUuid: first, pair }
        : { code: "unknownOrder", orderUuid: orderUuid(first), pair };
    return { kind: "refused", refusal };
  }
  const turned = named.find(({ uuid, direction }) => left.includes(uuid) && isTurned(direction));
  if (turned !== undefined) return refusedAs(turned);
  const sent: OrderCommand =
    command.type === "flatten"
      ? { ...command, target: left.map(positionUuid), pair: null }
      : { ...command, target: left.map(orderUuid), pair: null };
  return ready(sent, command);

  function isTurned(direction: Direction | null): boolean {
    return repeatedDirection !== undefined && direction !== null && direction !== repeatedDirection;
  }
}

function comparedWith(
  command: PlaceBracket | EditOrder,
  repeated: Direction | undefined,
  own: Named | undefined,
): ReadyCommand {
  const direction = own?.direction ?? null;
  if (own === undefined || direction === null || repeated === undefined) return ready(command);
  return direction === repeated ? ready(command) : refusedAs(own);
}

function refusedAs({ uuid, direction }: Named): ReadyCommand {
  const refusal = { code: "directionMismatch", id: uuid, direction: direction ?? "long" } as const;
  return { kind: "refused", refusal };
}

function editDirection({ replacement }: EditOrder): Direction | undefined {
  return replacement.type === "editLeg" ? replacement.repeatedDirection : replacement.direction;
}

function positionOf({ pair }: PlaceBracket, seen: Seen): Named | undefined {
  return positions(seen).find((one) => one.pair === pair);
}

function orderOf({ replacement }: EditOrder, seen: Seen): Named | undefined {
  return orders(seen).find(({ uuid }) => uuid === replacement.orderUuid);
}

function positions({ readings, pairOf }: Seen): readonly Named[] {
  return Object.values(readings.positions).map(({ uuid, pairDisplay, direction }) => ({
    uuid,
    pair: pairOf(pairDisplay),
    direction: sideOf(direction),
  }));
}

function orders({ readings, pairOf }: Seen): readonly Named[] {
  return pendingOrders(readings).map(({ uuid, pairDisplay, type }) => ({
    uuid,
    pair: pairDisplay === null ? null : pairOf(pairDisplay),
    direction: sideOf(type),
  }));
}

function sideOf(word: string | null): Direction | null {
  if (word === "LONG") return "long";
  return word === "SHORT" ? "short" : null;
}
