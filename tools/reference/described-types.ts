import {
  ACCOUNT,
  ACCOUNT_EVENTS,
  ARMED_SWITCH,
  CANDLE,
  EVENT,
  EVENT_CAUSE,
  EVENT_PAYOUT,
  EVENT_PROOF,
  EVENT_SCHEMA_NAMES,
  EVENT_SCHEMAS,
  EVENTS_PAGE,
  FILLS,
  INSTRUMENT,
  isEventType,
  isNullOnly,
  ORDER_EVENTS,
  ORDER_HISTORY,
  ORDER_IN_EVENT,
  ORDER_LIFE,
  ORDER_RESULT,
  ORDER_TRADE,
  PAST_ORDER,
  PAYOUTS,
  PENDING_ORDER,
  POSITION,
  POSITION_EVENTS,
  PREVIEW,
  PROGRAM_EVENTS,
  QUOTE,
  RECEIPT,
  REFUSAL_CODES,
  SERVICE_TIME,
  STREAM_MARK,
  SWITCH_EVENTS,
  SWITCH_RESULT,
  TRADE,
} from "@propgate/contract";
import type { ReferencePage } from "./markdown.ts";
import {
  descriptionOf,
  docComment,
  interfaceText,
  type NamedTypes,
  type TypeNode,
  typeNameOf,
} from "./typescript-text.ts";

const WIDTH = 100;
const FOLDER = "packages/sdk/src/described";
/** Lists of words whose union type the contract exports, by the name of that type. */
const WORDS: Readonly<Record<string, readonly string[]>> = { RefusalCode: REFUSAL_CODES };
const WORDS_FROM = "@propgate/contract";

/** The interfaces of each generated file. An interface comes after those of its file that it uses. */
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
      ArmedSwitch: at(ARMED_SWITCH.json),
      SwitchResult: at(SWITCH_RESULT.json),
    },
    "pending-order": { PendingOrder: at(PENDING_ORDER.json) },
    "trade-item": { TradeItem: at(TRADE.json) },
    payouts: {
      PayoutItem: at(payouts, "items"),
      AccrualItem: at(payouts, "accrual"),
      Payouts: payouts,
    },
    "market-items": {
      InstrumentItem: at(INSTRUMENT.json),
      QuoteItem: at(QUOTE.json),
      CandlePrices: at(CANDLE.json, "mid"),
      CandleItem: at(CANDLE.json),
      ServiceTime: at(SERVICE_TIME.json),
    },
    ...eventFiles(),
    receipt: { Receipt: at(RECEIPT.json) },
    "order-history": {
      PastOrder: at(PAST_ORDER.json),
      OrderLife: at(ORDER_LIFE.json),
      OrderHistory: at(ORDER_HISTORY.json),
      Fills: at(FILLS.json),
    },
    preview: { Preview: at(PREVIEW.json) },
  };
}

/** The files of the events: each type of event as an interface, the parts that they share, and their union. */
function eventFiles(): Readonly<Record<string, Readonly<Record<string, TypeNode>>>> {
  const interfaces = (schemas: object): Readonly<Record<string, TypeNode>> => {
    const types = Object.keys(schemas).filter(isEventType);
    return Object.fromEntries(
      types.map((type) => [EVENT_SCHEMA_NAMES.get(type) ?? type, at(EVENT_SCHEMAS[type].json)]),
    );
  };
  return {
    "event-parts": {
      EventCause: at(EVENT_CAUSE.json),
      EventProof: at(EVENT_PROOF.json),
      EventOrder: at(ORDER_IN_EVENT.json),
      EventPayout: at(EVENT_PAYOUT.json),
    },
    "order-events": interfaces(ORDER_EVENTS),
    "position-events": interfaces(POSITION_EVENTS),
    "program-events": interfaces(PROGRAM_EVENTS),
    "account-events": interfaces({ ...ACCOUNT_EVENTS, ...SWITCH_EVENTS }),
    "stream-mark": { StreamMark: at(STREAM_MARK.json) },
    events: { AccountEvent: EVENT.json, EventsPage: at(EVENTS_PAGE.json) },
  };
}

/**
 * The types of the API as interfaces. The contract's descriptions are the comments of their fields. Editors show these
 * comments; types that the compiler derives from schemas have none.
 */
export function describedTypes(): readonly ReferencePage[] {
  const all = Object.entries(files());
  const named: NamedTypes = new Map<unknown, string>([
    ...Object.entries(WORDS).map(([name, words]) => [JSON.stringify(words), name] as const),
    ...all.flatMap(([, types]) =>
      Object.entries(types).map(
        ([name, node]) => [node.properties ?? node.anyOf, typeNameOf(name, node)] as const,
      ),
    ),
  ]);
  const fileOf = new Map([
    ...[...Object.keys(WORDS), "Linked"].map((name) => [name, WORDS_FROM] as const),
    ...all.flatMap(([file, types]) => Object.keys(types).map((name) => [name, file] as const)),
  ]);
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

/** The import lines for the types of other files and of the contract that the text uses. */
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
    .map(([from, names]) => importLine(names.toSorted(byName), from));
  return lines.length === 0 ? [] : [lines.join("\n")];
}

function byName(left: string, right: string): number {
  return left.localeCompare(right, "en");
}

function importLine(names: readonly string[], from: string): string {
  const path = JSON.stringify(from === WORDS_FROM ? from : `./${from}.ts`);
  const line = `import type { ${names.join(", ")} } from ${path};`;
  if (line.length <= WIDTH) return line;
  return ["import type {", ...names.map((name) => `  ${name},`), `} from ${path};`].join("\n");
}

function withoutComments(text: string): string {
  return text.replace(/\/\*\*[\s\S]*?\*\//g, "");
}

/**
 * The object schema of a node, or of its `field`: itself, the items of a list, or the variant that is not null. Throws
 * when there is none.
 */
function at(node: TypeNode, field?: string): TypeNode {
  const found = field === undefined ? node : node.properties?.[field];
  if (found === undefined) throw new Error(`no field ${field}`);
  if (found.properties !== undefined) return found;
  const inside = [found.items ?? [], found.anyOf ?? []].flat();
  for (const one of inside) if (one.type !== "null") return at(one);
  throw new Error(`no object in ${field}`);
}

/**
 * The interfaces `OrderLegNotes` and `OrderNotes`: their comments describe each order field for all kinds of orders.
 * The contract has the types of the fields.
 */
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

/** Adds the descriptions of the fields of a node and of its variants to `notes`. */
function collect(node: TypeNode, notes: Map<string, Set<string>>): void {
  for (const [name, field] of Object.entries(node.properties ?? {})) {
    if (isNullOnly({ ...field })) continue;
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
