import { count, id, nullable, object, string, time, uuid, word } from "../schema.ts";
import { EXECUTION_TYPES } from "../words.ts";
import { describeList } from "./lists/list-description.ts";

export const UNANSWERED_ORDER = object(
  "An order of a linked account whose outcome the validator has not said. Its receipt is `pending`.",
  {
    orderUuid: uuid(
      "The order's id, here and at the validator; the validator does not know that of a cancel, an edit or a FLAT_ALL.",
    ),
    accountId: uuid("The account."),
    externalId: nullable(id("The account's id in the operator's own system.")),
    ownerId: id("The account's owner."),
    keyId: nullable(id("The key that it was signed with; null for an owner's on the pages.")),
    nonce: nullable(string("The request's nonce, which names its receipt.")),
    executionType: word(EXECUTION_TYPES, "The kind of order."),
    tradePair: nullable(string("The pair; null for an act on ids or on everything.")),
    sentAtMs: time("When it was sent: its receipt is pending since then."),
    attempts: count(
      "How many times a node has taken it up again. After the order's first 90 seconds each of them asks the validator once.",
    ),
    nextAttemptMs: time("When a node takes it up again; at most seconds ahead while one asks now."),
  },
);

export const UNANSWERED_ORDERS_LIST = describeList(UNANSWERED_ORDER, {
  sort: "sentAtMs",
  ties: ["orderUuid"],
  beginnings: ["orderUuid", "accountId", "externalId", "ownerId", "keyId"],
  isCounted: true,
});
