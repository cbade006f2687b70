import { isRecord, type JsonSchema } from "@propgate/contract";
import { type PublishedSchemas, resolvedSchema } from "./field-differences.ts";
import type { SpecifiedField } from "./specified-fields.ts";

/**
 * The fields of answers that the specification does not have, by schema. Fields inside of a listed one are not listed.
 */
export const ADDITIVE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Account: [
    "evaluation.accountSizeNumeric",
    "evaluation.activeAccountsCount",
    "evaluation.activeAccountsMax",
    "account.todayPnl",
    "account.todayPnlPct",
    "account.currentLeverage",
    "account.maxLeverage",
    "account.buyingPower",
    "account.availableMargin",
    "challenge.maxLeverageNumeric",
    "performance.tradeDurationMs",
    "drawdownRules.dailyLoss.remaining",
    "drawdownRules.dailyLoss.nextCheckMs",
    "drawdownRules.dailyLoss.breachPrice",
    "drawdownRules.maxLoss.remaining",
    "drawdownRules.maxLoss.nextCheckMs",
    "drawdownRules.maxLoss.breachPrice",
    "drawdownRules.limits",
    "cancelAllAfter",
  ],
  Position: ["breachPriceAlone", "isStale"],
  PendingOrder: [
    "stopPrice",
    "stopCondition",
    "currentStop",
    "bestPrice",
    "positionUuid",
    "reduceOnly",
    "bracketOrders",
  ],
  Trade: ["leverageNumeric", "positionSizeNumeric", "entryPriceNumeric", "closePriceNumeric"],
  Payouts: ["items[].profitSplitPercent", "items[].reference", "items[].paidAmount"],
  OrderResult: [
    "order.fee",
    "order.shortfall",
    "order.excess",
    "order.reduceOnly",
    "order.bracketOrders[].leverage",
    "closed",
    "stayed",
    "ended",
    "notFound",
  ],
};

/**
 * The differences between two lists: the published fields that are not in the specification, and `ADDITIVE_FIELDS`.
 * When a row is removed from the specification, its field is reported as a difference.
 */
export function additiveDifferences(
  fields: readonly SpecifiedField[],
  schemas: PublishedSchemas,
): readonly string[] {
  return [...new Set(fields.map(({ schema }) => schema))].flatMap((schema) => {
    const specified = new Set(
      fields.filter((one) => one.schema === schema).map(({ path }) => path),
    );
    const published = unspecified(specified, "", { schema: { $ref: schema }, schemas });
    const additive = ADDITIVE_FIELDS[schema] ?? [];
    return [
      ...published
        .filter((path) => !additive.includes(path))
        .map((path) => `${schema} ${path}: published, and in no row`),
      ...additive
        .filter((path) => !published.includes(path))
        .map((path) => `${schema} ${path}: additive, and not published or in a row`),
    ];
  });
}

/** The paths of published fields that are not specified. */
function unspecified(
  specified: ReadonlySet<string>,
  base: string,
  { schema, schemas }: { readonly schema: JsonSchema; readonly schemas: PublishedSchemas },
): readonly string[] {
  const { properties } = resolvedSchema(schema, schemas) ?? {};
  return Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, value]) => {
    const path = base + name;
    const inside = [`${path}.`, `${path}[].`];
    const isParent = [...specified].some((one) => inside.some((start) => one.startsWith(start)));
    if (!isParent) return specified.has(path) ? [] : [path];
    const own = resolvedSchema(value, schemas);
    const items = isRecord(own?.items) ? own.items : null;
    const within = items === null ? `${path}.` : `${path}[].`;
    return unspecified(specified, within, { schema: items ?? own ?? {}, schemas });
  });
}
