import { LIMITS } from "../limits.ts";
import { type PositionType, SIZE_FIELDS, type SizeField } from "../words.ts";
import type { FieldReader } from "./field-reader.ts";

/** A size as sent: `leverage` a multiple of the balance, `value` USD, `quantity` lots; above 0. */
export interface OrderSize {
  readonly field: SizeField;
  readonly amount: number;
}

/** A leg may also take a share of the open position: `bracket_pct`, 0 < x ≤ 1. */
export interface LegSizeFields {
  readonly field: SizeField | "bracket_pct";
  readonly amount: number;
}

/** `trailing_percent`: a share of the price, 0 < x < 1. `trailing_value`: price units, above 0. */
export interface TrailingFields {
  readonly field: "trailing_percent" | "trailing_value";
  readonly amount: number;
}

/** A stop, a target or a trailing stop to attach; at least one of the three. */
export interface LegFields {
  readonly stopLoss: number | null;
  readonly takeProfit: number | null;
  readonly trailing: TrailingFields | null;
  /** Null: the whole position. */
  readonly size: LegSizeFields | null;
}

/** What a leg's prices are held against; null where only the market knows. */
export interface LegEntry {
  readonly direction: PositionType | null;
  readonly limitPrice: number | null;
}

const TRAILING_FIELDS = ["trailing_percent", "trailing_value"] as const;
const LEG_SIZE_FIELDS = [...SIZE_FIELDS, "bracket_pct"] as const;
const TOP_LEVEL_LEG = ["stop_loss", "take_profit", "trailing_stop"] as const;
const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(", ");

/** The legs of an entry order: its list, or one made of its top-level fields. @rule D5.legs */
export function readEntryLegs(fields: FieldReader, entry: LegEntry): readonly LegFields[] {
  const top = readTopLevelLeg(fields);
  const listed = readListedLegs(fields, entry);
  if (listed.length > 0) {
    fields.disregard(TOP_LEVEL_LEG);
    return listed;
  }
  if (!hasTrigger(top)) return [];
  checkSides(fields, top, entry);
  return [top];
}

/** The legs of a BRACKET, which must have one; its top-level fields may carry a size. */
export function readBracketLegs(fields: FieldReader): readonly LegFields[] {
  const top = { ...readTopLevelLeg(fields), size: readLegSize(fields) };
  const unknownEntry: LegEntry = { direction: null, limitPrice: null };
  const listed = readListedLegs(fields, unknownEntry);
  if (listed.length > 0) {
    fields.disregard([...TOP_LEVEL_LEG, ...LEG_SIZE_FIELDS]);
    return listed;
  }
  if (fields.isGiven("bracket_orders") && !hasTrigger(top)) {
    fields.report("'bracket_orders' must have at least one leg");
  }
  requireTrigger(fields, top, TOP_LEVEL_LEG);
  checkSides(fields, top, unknownEntry);
  return [top];
}

/** True when any field is given that would make a leg. */
export function namesLeg(fields: FieldReader): boolean {
  return [...TOP_LEVEL_LEG, "bracket_orders"].some((name) => fields.isGiven(name));
}

function readTopLevelLeg(fields: FieldReader): LegFields {
  return {
    stopLoss: fields.positive("stop_loss"),
    takeProfit: fields.positive("take_profit"),
    trailing: readTrailingStop(fields),
    size: null,
  };
}

function readTrailingStop(fields: FieldReader): TrailingFields | null {
  const inside = fields.object("trailing_stop");
  if (inside === null) return null;
  const given = TRAILING_FIELDS.filter((name) => inside.isGiven(name));
  if (given.length !== 1) {
    fields.report(`'trailing_stop' must have exactly one of ${quoted(TRAILING_FIELDS)}`);
  }
  return readTrailing(inside);
}

function readTrailing(fields: FieldReader): TrailingFields | null {
  const percent = fields.fraction("trailing_percent", false);
  const value = fields.positive("trailing_value");
  if (percent !== null) return { field: "trailing_percent", amount: percent };
  return value === null ? null : { field: "trailing_value", amount: value };
}

function readListedLegs(fields: FieldReader, entry: LegEntry): readonly LegFields[] {
  const readers = fields.objects("bracket_orders") ?? [];
  if (readers.length > LIMITS.bracketLegsMax) {
    fields.report(`'bracket_orders' must have at most ${LIMITS.bracketLegsMax} legs`);
  }
  return readers.map((one) => readListedLeg(one, entry));
}

function readListedLeg(fields: FieldReader, entry: LegEntry): LegFields {
  const stopLoss = fields.positive("stop_loss");
  const takeProfit = fields.positive("take_profit");
  atMostOne(fields, TRAILING_FIELDS);
  const trailing = readTrailing(fields);
  const leg: LegFields = { stopLoss, takeProfit, trailing, size: readLegSize(fields) };
  requireTrigger(fields, leg, ["stop_loss", "take_profit", ...TRAILING_FIELDS]);
  checkSides(fields, leg, entry);
  return leg;
}

function readLegSize(fields: FieldReader): LegSizeFields | null {
  atMostOne(fields, LEG_SIZE_FIELDS);
  for (const field of SIZE_FIELDS) {
    const amount = fields.positive(field);
    if (amount !== null) return { field, amount };
  }
  const share = fields.fraction("bracket_pct", true);
  return share === null ? null : { field: "bracket_pct", amount: share };
}

function atMostOne(fields: FieldReader, names: readonly string[]): void {
  const given = names.filter((name) => fields.isGiven(name));
  if (given.length > 1) fields.report(`only one of ${quoted(names)} may be given`);
}

function hasTrigger(leg: LegFields): boolean {
  return leg.stopLoss !== null || leg.takeProfit !== null || leg.trailing !== null;
}

function requireTrigger(fields: FieldReader, leg: LegFields, names: readonly string[]): void {
  if (!hasTrigger(leg)) fields.report(`at least one of ${quoted(names)} must be provided`);
}

/** LONG: stop < entry < target. SHORT: target < entry < stop. @rule D5.legSides */
function checkSides(fields: FieldReader, leg: LegFields, entry: LegEntry): void {
  const { stopLoss, takeProfit } = leg;
  if (stopLoss !== null && stopLoss === takeProfit) {
    fields.report("'stop_loss' and 'take_profit' must differ");
  }
  const { direction, limitPrice } = entry;
  if (direction === null) return;
  const [stopSide, targetSide] = direction === "LONG" ? ["below", "above"] : ["above", "below"];
  const isOn = (side: string, price: number, other: number): boolean =>
    side === "below" ? price < other : price > other;
  if (limitPrice === null) {
    if (stopLoss !== null && takeProfit !== null && !isOn(stopSide, stopLoss, takeProfit)) {
      fields.report(`'stop_loss' must be ${stopSide} 'take_profit' on a ${direction} order`);
    }
    return;
  }
  if (stopLoss !== null && !isOn(stopSide, stopLoss, limitPrice)) {
    fields.report(`'stop_loss' must be ${stopSide} 'limit_price' on a ${direction} order`);
  }
  if (takeProfit !== null && !isOn(targetSide, takeProfit, limitPrice)) {
    fields.report(`'take_profit' must be ${targetSide} 'limit_price' on a ${direction} order`);
  }
}
