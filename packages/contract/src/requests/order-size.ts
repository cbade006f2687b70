import { ERRORS } from "../errors/errors.ts";
import { omittable, onlyOneField, type Schema } from "../schema.ts";
import { SIZE_FIELDS, type SizeField } from "../words.ts";
import type { FieldReader } from "./field-reader.ts";
import { forbiddenField, type Part } from "./order-part.ts";
import { amount, type OrderValue } from "./order-values.ts";

/**
 * A size as sent: `leverage` is a multiple of the balance, `value` is in USD and `quantity` in lots. It is above 0, for
 * a SHORT too.
 * @rule D5.size
 */
export interface OrderSize {
  readonly field: SizeField;
  readonly amount: number;
}

/**
 * Exactly one of the three sizes, so that an order with none or several of them does not compile. The service rejects
 * such an order too.
 */
export type OneSize =
  | { readonly leverage: number; readonly value?: never; readonly quantity?: never }
  | { readonly value: number; readonly leverage?: never; readonly quantity?: never }
  | { readonly quantity: number; readonly leverage?: never; readonly value?: never };

/** The schema and the reader of each field that sizes an order. */
export const SIZES = {
  leverage: amount("Size as a multiple of the balance."),
  value: amount("Size in USD."),
  quantity: amount("Size in the pair's lot unit."),
} as const satisfies Readonly<Record<SizeField, OrderValue<number>>>;

/** The rule that an order has exactly one size. @rule S4.2.sizing */
export const ORDER_SIZE: Schema<OneSize> = onlyOneField(
  "Exactly one of `leverage`, `value` and `quantity`.",
  {
    leverage: SIZES.leverage.schema,
    value: SIZES.value.schema,
    quantity: SIZES.quantity.schema,
  },
);

/** The error text of an order that does not have exactly one size. */
export const MISSING_SIZE = ERRORS.missingSize.text;

const SIZE_PROPERTIES = {
  leverage: omittable(SIZES.leverage.schema),
  value: omittable(SIZES.value.schema),
  quantity: omittable(SIZES.quantity.schema),
} as const;

/** The size of an order that must have one. */
export const SIZE: Part<typeof SIZE_PROPERTIES, OrderSize, OneSize> = {
  fields: SIZE_PROPERTIES,
  rules: [ORDER_SIZE],
  read: readSize,
};

/**
 * Reads the one size of an order. Reports `MISSING_SIZE` when there is no size, and also when there are several.
 * Undefined after a problem. @rule S4.2.sizing decides
 */
function readSize(trade: FieldReader): OrderSize | undefined {
  let field: SizeField | null = null;
  for (const name of SIZE_FIELDS) {
    if (!trade.isGiven(name)) continue;
    if (field !== null) return reportMissingSize(trade);
    field = name;
  }
  if (field === null) return reportMissingSize(trade);
  const size = SIZES[field].read(trade, field);
  return size === null ? undefined : { field, amount: size };
}

function reportMissingSize(trade: FieldReader): undefined {
  trade.report(MISSING_SIZE);
}

const WITH_FLAT = "Not allowed with `FLAT`, which closes the whole position.";

/** The parts of an order that must not have a size. */
export const NO_SIZE = {
  leverage: forbiddenField("leverage", WITH_FLAT),
  value: forbiddenField("value", WITH_FLAT),
  quantity: forbiddenField("quantity", WITH_FLAT),
} as const;
