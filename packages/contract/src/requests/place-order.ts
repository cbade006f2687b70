import { isUuid } from "../credentials.ts";
import { EXECUTION_TYPES } from "../words.ts";
import { FieldReader, isObject, type Problems } from "./field-reader.ts";
import { ORDER_KINDS, type OrderFields } from "./order-kinds.ts";
import { MISSING_SIZE } from "./order-size.ts";
import { oneOf } from "./order-values.ts";

export type ParsedOrder =
  | {
      readonly ok: true;
      readonly order: OrderFields;
      /** Fields that were not read, such as `trade.limit_prise`. They are no error, but the client is told their names. */
      readonly ignoredFields: readonly string[];
    }
  | { readonly ok: false; readonly error: "invalidBody" | "missingSize"; readonly message: string };

/** The account that a body names: checked at gate 10, before anything else in the body. @rule D2.10 */
export function bodyAccountId(
  body: unknown,
): { readonly ok: true; readonly accountId: string | null } | { readonly ok: false } {
  if (!isObject(body) || !Object.hasOwn(body, "accountId")) return { ok: true, accountId: null };
  const given = body.accountId;
  if (typeof given !== "string" || !isUuid(given)) return { ok: false };
  return { ok: true, accountId: given.toLowerCase() };
}

const EXECUTION_TYPE = oneOf(EXECUTION_TYPES, "The kind of order.");

/**
 * Checks everything about an order body that needs no market. The message names the first problem and its field.
 * @rule S7.400 S4.2.fields S4.2.ignored D5.fields
 */
export function parsePlaceOrder(body: unknown): ParsedOrder {
  if (!isObject(body)) return invalid("request body must be a JSON object");
  const problems: Problems = { first: null };
  const root = new FieldReader(body, { problems, path: "", prefix: "" });
  root.mustHave("trade");
  const trade = root.object("trade");
  const order = trade === null ? undefined : readTrade(trade);
  const problem = problems.first;
  if (problem === MISSING_SIZE) return { ok: false, error: "missingSize", message: problem };
  if (problem !== null) return invalid(problem);
  if (order === undefined) return invalid("'trade' must be a complete order");
  const ignoredFields = root.ignored().filter((name) => name !== "accountId");
  return { ok: true, order, ignoredFields };
}

function readTrade(trade: FieldReader): OrderFields | undefined {
  trade.mustHave("execution_type");
  const executionType = EXECUTION_TYPE.read(trade, "execution_type");
  return executionType === null ? undefined : ORDER_KINDS[executionType].read(trade);
}

function invalid(message: string): ParsedOrder {
  return { ok: false, error: "invalidBody", message };
}
