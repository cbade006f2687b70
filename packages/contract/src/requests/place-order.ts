import { isUuid } from "../credentials.ts";
import { EXECUTION_TYPES } from "../words.ts";
import { rejectMisplaced } from "./fate-check.ts";
import { FieldReader, isObject, type Problems } from "./field-reader.ts";
import { type OrderFields, readOrder } from "./order-kinds.ts";
import { MISSING_SIZE } from "./order-size.ts";
import { oneOf } from "./order-values.ts";

/** A valid order with its ignored fields, or the first problem of the body. */
export type ParsedOrder =
  | {
      readonly ok: true;
      readonly order: OrderFields;
      /**
       * Fields that the contract does not have anywhere, such as `trade.limit_prise`. They cause no error, but a header
       * names them.
       */
      readonly ignoredFields: readonly string[];
    }
  | { readonly ok: false; readonly error: "invalidBody" | "missingSize"; readonly message: string };

/**
 * The accounts that a body names, which gate 10 compares with the key's account before the rest of the body is checked.
 * Not ok when one of them is not a uuid. @rule D2.10
 */
export function bodyAccountIds(
  body: unknown,
): { readonly ok: true; readonly accountIds: readonly string[] } | { readonly ok: false } {
  if (!isObject(body)) return { ok: true, accountIds: [] };
  const given = [body, body.trade].flatMap((place) =>
    isObject(place) && Object.hasOwn(place, "accountId") ? [place.accountId ?? null] : [],
  );
  const named = given.filter((one) => one !== null);
  const accountIds = named.filter((one): one is string => typeof one === "string" && isUuid(one));
  if (accountIds.length < named.length) return { ok: false };
  return { ok: true, accountIds: accountIds.map((one) => one.toLowerCase()) };
}

/** `execution_type`: one of the known words, exactly as they are written. @rule S4.2.executionType decides */
const EXECUTION_TYPE = oneOf(EXECUTION_TYPES, "The kind of order.");

/**
 * Checks everything about the body of POST orders that needs neither the account nor the market. The message names the
 * first problem and its field. Fields that the contract has nowhere are no problem; they are returned as
 * `ignoredFields`. @rule S4.2.ignored S7.400 D5.fields decides
 */
export function parsePlaceOrder(body: unknown): ParsedOrder {
  if (!isObject(body)) return invalidBodyResult("request body must be a JSON object");
  const problems: Problems = { first: null };
  const root = new FieldReader(body, { problems, path: "", prefix: "" });
  rejectMisplaced(root, "OrderRequest");
  root.requireField("trade");
  const trade = root.object("trade");
  const order = trade === null ? undefined : readTrade(trade);
  const problem = problems.first;
  if (problem === MISSING_SIZE) return { ok: false, error: "missingSize", message: problem };
  if (problem !== null) return invalidBodyResult(problem);
  if (order === undefined) return invalidBodyResult("'trade' must be a complete order");
  return { ok: true, order, ignoredFields: root.ignoredNames() };
}

/**
 * Reads `execution_type` first, because it decides which fields the order has and how they are read. Undefined after a
 * problem. @rule S4.2.fields decides
 */
function readTrade(trade: FieldReader): OrderFields | undefined {
  trade.requireField("execution_type");
  const executionType = EXECUTION_TYPE.read(trade, "execution_type");
  return executionType === null ? undefined : readOrder(executionType, trade);
}

function invalidBodyResult(message: string): ParsedOrder {
  return { ok: false, error: "invalidBody", message };
}
