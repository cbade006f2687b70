import {
  ACCOUNT,
  CANDLE,
  INSTRUMENT,
  isUnused,
  ORDER_RESULT,
  ORDER_TRADE,
  PAYOUTS,
  PENDING_ORDER,
  POSITION,
  PREVIEW,
  QUOTE,
  RECEIPT,
  SERVICE_TIME,
  TRADE,
} from "@propgate/contract";
import type { ReferencePage } from "./markdown.ts";
import {
  descriptionOf,
  docComment,
  interfaceText,
  type NamedTypes,
  type TypeNode,
} from "./typescript-text.ts";

const FOLDER = "packages/sdk/src/described";

/** The interfaces of each file, in the order of their dependencies. */
function files(): Readonly<Record<string, Readonly<Record<string, TypeNode>>>> {
  const account = at(ACCOUNT.json);
  const result = at(ORDER_RESULT.json);
  const record = at(result, "order");
  const payouts = at(PAYOUTS.json);
  const rules = at(account, "drawdownRules");
  const track = at(account, "proTrack");
  return {
    "drawdown-rules": {
      LossLimitItem: at(rules, "limits"),
      DrawdownRules: rules,
      Elimination: at(account, "elimination"),
    },
    "pro-track": { Objective: at(track, "objectives"), ProTrack: track },
    account: { Account: account },
    "position-item": { PositionItem: at(POSITION.json) },
    "order-result": {
      AttachedLegItem: at(record, "bracketOrders"),
      OrderRecordItem: record,
      ClosedPair: at(result, "closed"),
      StayedPair: at(result, "stayed"),
      OrderResult: result,
    },
    "pending-order": { PendingOrder: at(PENDING_ORDER.json) },
    "trade-item": { TradeItem: at(TRADE.json) },
    payouts: {
      PayoutItem: at(payouts, "items"),
      AccrualItem: at(payouts, "accrual"),
      Payouts: payouts,
    },
    "market-items": { InstrumentItem: at(INSTRUMENT.json), QuoteItem: at(QUOTE.json) },
    candle: { CandlePrices: at(CANDLE.json, "mid"), CandleItem: at(CANDLE.json) },
    receipt: { Receipt: at(RECEIPT.json) },
    preview: { Preview: at(PREVIEW.json) },
    "service-time": { ServiceTime: at(SERVICE_TIME.json) },
  };
}

/**
 * The types of the API as interfaces whose fields carry the contract's descriptions as comments.
 * Editors show them; they cannot for types that the compiler derives from schemas.
 */
export function describedTypes(): readonly ReferencePage[] {
  const all = Object.entries(files());
  const named: NamedTypes = new Map(
    all.flatMap(([, types]) =>
      Object.entries(types).map(([name, node]) => [node.properties, name] as const),
    ),
  );
  const fileOf = new Map(
    all.flatMap(([file, types]) => Object.keys(types).map((name) => [name, file] as const)),
  );
  return [
    ...all.map(([file, types]) => {
      const texts = Object.entries(types).map(([name, node]) => interfaceText(name, node, named));
      return source(file, [...importLines(texts.join("\n"), { file, fileOf }), ...texts]);
    }),
    source("order-notes", orderNotes()),
    source(
      "described-types",
      [[...all.map(([file]) => file), "order-notes"].toSorted()].map((names) =>
        names.map((file) => `export type * from "./${file}.ts";`).join("\n"),
      ),
    ),
  ];
}

function source(file: string, blocks: readonly string[]): ReferencePage {
  const head = "// Made from the schemas of the contract by `npm run docs`.";
  return { path: `${FOLDER}/${file}.ts`, content: `${[head, ...blocks].join("\n\n")}\n` };
}

/** The interfaces of other files that the text uses. */
function importLines(
  text: string,
  { file, fileOf }: { readonly file: string; readonly fileOf: ReadonlyMap<string, string> },
): readonly string[] {
  const byFile = new Map<string, string[]>();
  for (const [name, from] of fileOf) {
    if (from === file || !new RegExp(`\\b${name}\\b(?! \\{)`).test(withoutComments(text))) continue;
    byFile.set(from, [...(byFile.get(from) ?? []), name]);
  }
  const lines = [...byFile]
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([from, names]) => `import type { ${names.toSorted().join(", ")} } from "./${from}.ts";`);
  return lines.length === 0 ? [] : [lines.join("\n")];
}

function withoutComments(text: string): string {
  return text.replace(/\/\*\*[\s\S]*?\*\//g, "");
}

/** The object of a node: the items of a list, or the object that a nullable field may be. */
function at(node: TypeNode, field?: string): TypeNode {
  const found = field === undefined ? node : node.properties?.[field];
  if (found === undefined) throw new Error(`no field ${field}`);
  if (found.properties !== undefined) return found;
  const inside = [found.items ?? [], found.anyOf ?? []].flat();
  for (const one of inside) if (one.type !== "null") return at(one);
  throw new Error(`no object in ${field}`);
}

/** The description of each order field, for all kinds of orders; the contract has their types. */
function orderNotes(): readonly string[] {
  const trade = new Map<string, Set<string>>();
  const leg = new Map<string, Set<string>>();
  collect(ORDER_TRADE.json, trade);
  for (const list of nodesNamed(ORDER_TRADE.json, "bracket_orders")) collect(list, leg);
  const entries = (notes: ReadonlyMap<string, ReadonlySet<string>>, legs: string | null) =>
    [...notes].flatMap(([name, texts]) => [
      ...docComment([...texts].join(" "), "  "),
      `  readonly ${name}?: ${name === "bracket_orders" && legs !== null ? legs : "unknown"};`,
    ]);
  return [
    [
      "/** The meaning of each field of a leg. */",
      "export interface OrderLegNotes {",
      ...entries(leg, null),
      "}",
    ].join("\n"),
    [
      "/** The meaning of each field of an order. */",
      "export interface OrderNotes {",
      ...entries(trade, "readonly OrderLegNotes[]"),
      "}",
    ].join("\n"),
  ];
}

/** The descriptions of the node's own fields, in every variant of the node. */
function collect(node: TypeNode, notes: Map<string, Set<string>>): void {
  for (const [name, field] of Object.entries(node.properties ?? {})) {
    if (isUnused({ ...field })) continue;
    const texts = notes.get(name) ?? new Set<string>();
    const text = descriptionOf(field);
    const word = typeof field.const === "string" ? `\`${field.const}\`: ` : "";
    if (text !== "") texts.add(word + text);
    notes.set(name, texts);
  }
  for (const variant of variantsOf(node)) collect(variant, notes);
}

function nodesNamed(node: TypeNode, name: string): readonly TypeNode[] {
  const own = node.properties?.[name];
  const found = own === undefined ? [] : [own];
  return [...found, ...variantsOf(node).flatMap((variant) => nodesNamed(variant, name))];
}

function variantsOf({ anyOf = [], oneOf = [], items }: TypeNode): readonly TypeNode[] {
  return [...anyOf, ...oneOf, ...(items === undefined ? [] : [items])].filter(
    ({ type }) => type !== "null",
  );
}
