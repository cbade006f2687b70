import {
  ACCOUNTS_LIST,
  EXPOSURE_COLUMNS,
  EXPOSURE_KEYS,
  type ExposureKey,
  type ListDescription,
  STRESS_COLUMNS,
} from "@propgate/contract";
import {
  type JsonCall,
  type JsonReply,
  okReply,
  type RefusedReply,
} from "../../json/json-reply.ts";
import { rowFileReply } from "../../json/row-file.ts";
import { listColumns } from "../lists/list-columns.ts";
import { type ParameterReading, parameterRefusal, quotedText } from "../lists/list-parameter.ts";
import { type ListRequest, parseListQuery } from "../lists/list-request.ts";
import type { OperatorCallOptions, OperatorHandler } from "../operator-reply.ts";
import type { BookAccount, OpenBook } from "./account-book.ts";
import { matchingAccounts } from "./account-rows.ts";
import { addExposures, createKeyOf, exposureItems, type KeyOf } from "./exposure.ts";
import { addStress, emptyStressSums, type StressSums, stressItems } from "./stress.ts";

/** Answers the sums of the open positions of the accounts that the query finds, by one of the exposure keys. */
export const showExposure: OperatorHandler<"exposure"> = async (options, call) => {
  const found = await findAccounts(options, call);
  if ("refused" in found) return found.refused;
  const { book, accounts, keyOf } = found.value;
  const sums: Parameters<typeof addExposures>[0] = new Map();
  for await (const account of accounts) addExposures(sums, account, { book, keyOf });
  return answer(found.value, {
    name: "exposure",
    list: EXPOSURE_COLUMNS,
    items: exposureItems(sums),
  });
};

/** The moves of a stress test in percent, when the query names none. */
const MOVES = "-5,-3,-1,1,3,5";
const MOVES_MAX = 20;
const MOVE_PCT_MAX = 1_000;

/**
 * Answers the effect that moves of the prices would have on the accounts that the query finds, by exposure key and
 * move.
 */
export const showStress: OperatorHandler<"stress"> = async (options, call) => {
  const moves = readMoves(call.query.movePct ?? MOVES);
  if ("refused" in moves) return moves.refused;
  const found = await findAccounts(options, call);
  if ("refused" in found) return found.refused;
  const { book, accounts, keyOf, by } = found.value;
  const sums: StressSums = emptyStressSums(moves.value, by);
  for await (const account of accounts) addStress(sums, account, { book, keyOf });
  return answer(found.value, { name: "stress", list: STRESS_COLUMNS, items: stressItems(sums) });
};

function readMoves(text: string): ParameterReading<readonly number[]> {
  const parts = text.split(",");
  if (parts.length > MOVES_MAX)
    return parameterRefusal("movePct", `must have at most ${MOVES_MAX} moves`);
  const wrong = parts.find((part) => !isMove(part));
  if (wrong !== undefined) {
    const range = `above -100 and at most ${MOVE_PCT_MAX}`;
    return parameterRefusal(
      "movePct",
      `must be percents ${range} with commas between, not ${quotedText(wrong)}`,
    );
  }
  const moves = parts.map(Number);
  const repeated = moves.find((move, at) => moves.indexOf(move) !== at);
  if (repeated !== undefined) return parameterRefusal("movePct", `names ${repeated} twice`);
  return { value: moves };
}

function isMove(text: string): boolean {
  const move = Number(text);
  return /^-?\d{1,4}(\.\d{1,6})?$/.test(text) && move > -100 && move <= MOVE_PCT_MAX;
}

interface Found {
  readonly book: OpenBook;
  readonly accounts: AsyncIterable<BookAccount>;
  readonly by: ExposureKey;
  readonly keyOf: KeyOf;
  readonly format: ListRequest["format"];
}

/** The accounts that match the filters of the query, and the key by which their positions are summed. */
async function findAccounts(
  { services }: OperatorCallOptions,
  { query: { by: given = "class", movePct: _moves, ...query } }: Pick<JsonCall, "query">,
): Promise<ParameterReading<Found>> {
  const by = EXPOSURE_KEYS.find((one) => one === given);
  if (by === undefined) {
    return parameterRefusal(
      "by",
      `must be one of ${EXPOSURE_KEYS.join(", ")}, not ${quotedText(given)}`,
    );
  }
  const wanted = parseListQuery({ list: ACCOUNTS_LIST, query, scope: "" });
  if ("refused" in wanted) return wanted;
  const book = await services.book.open();
  const accounts = matchingAccounts({ book, names: services.accountNames }, wanted.value);
  const keyOf = createKeyOf(by, book.at.moment.instruments);
  return { value: { book, accounts, by, keyOf, format: wanted.value.format } };
}

function answer<Item extends object>(
  { book: { asOf }, format }: Found,
  given: {
    readonly name: string;
    readonly list: ListDescription;
    readonly items: readonly Item[];
  },
): Exclude<
  JsonReply<{ readonly items: readonly Item[]; readonly asOf: OpenBook["asOf"] }>,
  RefusedReply
> {
  const { name, list, items } = given;
  if (format === "json") return okReply({ items, asOf });
  const columns = listColumns(
    list,
    list.fields.map((field) => field.name),
  );
  return rowFileReply(rowsOf(items), { name, format, columns, asOfMs: asOf.atMs });
}

async function* rowsOf<Item extends object>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
