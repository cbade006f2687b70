import type { Clock } from "@propgate/base";
import {
  type ListCall,
  type ListItem,
  type ListOf,
  OPERATOR_LISTS,
  type OperatorPage,
} from "@propgate/contract";
import type {
  ListPage,
  ListPageQuery,
  ListQuery,
  ListSource,
  ListSum,
} from "../../../storage/lists/list-query.ts";
import {
  type JsonCall,
  type JsonReply,
  okReply,
  type RefusedReply,
  type StreamReply,
} from "../../json/json-reply.ts";
import { readAhead } from "../../json/read-ahead.ts";
import { rowFileReply } from "../../json/row-file.ts";
import type { OperatorServices } from "../operator-services.ts";
import { listColumns } from "./list-columns.ts";
import { cursorText } from "./list-cursor.ts";
import { parseListQuery } from "./list-request.ts";

export interface ListOptions {
  readonly services: Pick<OperatorServices, "lists">;
  readonly clock: Clock;
}

/** A page of a list, with the sums that the list's source defines. */
interface AnsweredPage<Item> extends OperatorPage<Item> {
  readonly sums: readonly ListSum[];
}

/** Rows that are not in the database. They answer the query themselves, by the same rules as the SQL of a list. */
export interface InMemoryRows<Item> {
  page(query: ListPageQuery): Promise<ListPage<Item>>;
  all(query: ListQuery): AsyncGenerator<Item>;
  /** The time for which the rows are computed, in Unix milliseconds. */
  readonly asOfMs: number;
}

/** Answers the call's query on these rows: with a page, with a file of the whole list, or with a refusal. */
export async function answerList<Call extends ListCall>(
  options: ListOptions,
  call: Pick<JsonCall, "query" | "parameters">,
  name: Call,
  source: ListSource,
): Promise<JsonReply<OperatorPage<ListItem<Call>>>> {
  const answer = await readList(options, call, name, source);
  if ("status" in answer) return answer;
  const { items, next, total } = answer;
  return okReply({ items, next, total });
}

/**
 * Reads rows as `answerList` does. For a page it returns the items with the sums, from which the caller makes the
 * answer.
 */
export async function readList<Call extends ListCall>(
  { services, clock }: ListOptions,
  call: Pick<JsonCall, "query" | "parameters">,
  name: Call,
  source: ListSource | InMemoryRows<ListItem<Call>>,
): Promise<AnsweredPage<ListItem<Call>> | StreamReply | RefusedReply> {
  const list: ListOf<ListItem<Call>> = OPERATOR_LISTS[name];
  const raw = { list, query: call.query, scope: `${name} ${call.parameters.id ?? ""}` };
  const request = parseListQuery(raw);
  if ("refused" in request) return request.refused;
  const { format, ...query } = request.value;
  const rows: InMemoryRows<ListItem<Call>> =
    "page" in source
      ? source
      : {
          page: (wanted) => services.lists.page(list, source, wanted),
          all: (wanted) => services.lists.all(list, source, wanted),
          asOfMs: clock.now(),
        };
  if (format !== "json") {
    const file = rowFileReply(rows.all(query), {
      name: name.replace(".list", ""),
      format,
      columns: listColumns(list, query.fields),
      asOfMs: rows.asOfMs,
    });
    return { ...file, content: await readAhead(file.content) };
  }
  const page = await rows.page(query);
  return { ...page, next: page.next === null ? null : cursorText(raw, query, page.next) };
}
