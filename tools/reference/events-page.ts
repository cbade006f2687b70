import { readFileSync } from "node:fs";
import {
  ACCOUNT_EVENTS,
  EVENT_SCHEMAS,
  type EventType,
  isEventType,
  linked,
  ORDER_EVENTS,
  POSITION_EVENTS,
  PROGRAM_EVENTS,
} from "@propgate/contract";
import { codeBlock, markdownPage, markdownTable, type ReferencePage } from "./markdown.ts";
import { fieldRows, type SchemaNode } from "./schema-fields.ts";

const GROUPS: readonly (readonly [title: string, schemas: object])[] = [
  ["Orders and legs", ORDER_EVENTS],
  ["Positions and days", POSITION_EVENTS],
  ["Programs", PROGRAM_EVENTS],
  ["Account and payouts", ACCOUNT_EVENTS],
];

/** The page of every type of event with its fields. The example of each type is the view in its golden file. */
export function eventsPage(): ReferencePage {
  const groups = GROUPS.flatMap(([title, schemas]) => [
    `## ${title}`,
    ...Object.keys(schemas).filter(isEventType).flatMap(section),
  ]);
  return {
    path: "docs/reference/events.md",
    content: markdownPage({
      title: "Events",
      source: "packages/contract",
      blocks: [
        "Every type of event that `GET /api/v1/trading/events` lists. One line of the account's journal is one event of one type, and its view is made from that line alone: it never changes afterwards. Within v1 types and fields may be added: ignore those that you do not know. [How to read events](../guides/events.md), [the endpoint](endpoints.md).",
        "**Fields of every event**",
        markdownTable(["Field", "Type", "What"], commonRows()),
        "`data` depends on the type. Amounts are USD, quantities are in the pair's lot unit.",
        ...groups,
      ],
    }),
  };
}

function commonRows(): readonly (readonly string[])[] {
  return rowsOf(nodeOf("account.closed")).filter(
    ([field = ""]) => field !== "`type`" && !field.startsWith("`data."),
  );
}

function section(type: EventType): readonly string[] {
  const node = nodeOf(type);
  const rows = rowsOf(node.properties?.data ?? {});
  return [
    `### ${type}`,
    node.description ?? "",
    ...(rows.length === 0 ? [] : [markdownTable(["Field of `data`", "Type", "What"], rows)]),
    codeBlock("json", exampleOf(type)),
  ];
}

function nodeOf(type: EventType): SchemaNode {
  return linked<unknown>(EVENT_SCHEMAS[type]).json;
}

function rowsOf(node: SchemaNode): readonly (readonly string[])[] {
  return fieldRows(node, {});
}

function exampleOf(type: EventType): string {
  const file = new URL(`../../packages/wire/fixtures/events/${type}.json`, import.meta.url);
  const { view } = JSON.parse(readFileSync(file, "utf8")) as { readonly view: unknown };
  return JSON.stringify(view, null, 2);
}
