import { type AssetClass, type ExposureCap, leverage } from "@propgate/core";

const CLASSES: Readonly<Record<string, AssetClass>> = {
  crypto: "crypto",
  forex: "forex",
  indices: "indices",
  equities: "equities",
  commodities: "commodities",
};

/**
 * The last word of every label: the cap as a multiple of the balance, with at most 15 digits before and after the
 * point.
 */
const MULTIPLE = "(\\d{1,15}(?:\\.\\d{1,15})?)x";
const PAIR = new RegExp(`^per pair cap ${MULTIPLE}$`);
const PORTFOLIO = new RegExp(`^overall portfolio cap ${MULTIPLE}$`);
const CLASS = new RegExp(`^per class cap (\\w+) ${MULTIPLE}$`);
const GROUP = new RegExp(`^(\\w+:[\\w .&-]+) exposure cap ${MULTIPLE}$`);

/** Reads the network's label of a cap, such as `per class cap crypto 1.5x`; null for any other text. */
export function exposureCapOf(label: string): ExposureCap | null {
  const text = label.trim();
  const [, pairCap] = PAIR.exec(text) ?? [];
  if (pairCap !== undefined) return { cap: multiple(pairCap), of: { kind: "pair" } };
  const [, portfolioCap] = PORTFOLIO.exec(text) ?? [];
  if (portfolioCap !== undefined) return { cap: multiple(portfolioCap), of: { kind: "portfolio" } };
  const [, word = "", classCap] = CLASS.exec(text) ?? [];
  const assetClass = CLASSES[word];
  if (classCap !== undefined && assetClass !== undefined) {
    return { cap: multiple(classCap), of: { kind: "class", assetClass } };
  }
  const [, group, groupCap] = GROUP.exec(text) ?? [];
  if (group === undefined || groupCap === undefined) return null;
  return { cap: multiple(groupCap), of: { kind: "group", group } };
}

function multiple(text: string) {
  return leverage(Number(text));
}
