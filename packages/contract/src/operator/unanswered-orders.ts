import { count, id, nullable, object, string, time, uuid, word } from "../schema.ts";
import { EXECUTION_TYPES } from "../words.ts";
import { describeList } from "./lists/list-description.ts";

export const UNANSWERED_ORDER = object(
  "An order of a linked account whose outcome the validator has not reported. Its receipt is `pending`.",
  {
    orderUuid: uuid(
      "The id of the order, here and at the validator. The validator does not know the id of a cancellation, an edit or a FLAT_ALL.",
    ),
    accountId: uuid("The id of the account."),
    externalId: nullable(id("The account's id in another system; null without one.")),
    ownerId: id("The id of the account's owner."),
    keyId: nullable(
      id("The API key of the request; null when the owner sent it on the dashboard."),
    ),
    nonce: nullable(
      string(
        "The nonce of the request, under which its receipt can be read; null when the owner sent it on the dashboard.",
      ),
    ),
    executionType: word(EXECUTION_TYPES, "The kind of order."),
    tradePair: nullable(
      string("The pair; null for a request that names ids or acts on all pairs."),
    ),
    sentAtMs: time("When the order was sent to the validator."),
    attempts: count(
      "How many times a node has resumed the order. After the order's first 90 seconds, each time it asks the validator once.",
    ),
    nextAttemptMs: time(
      "When a node next resumes the order. While a node is asking the validator, it is at most seconds ahead.",
    ),
  },
);

export const UNANSWERED_ORDERS_LIST = describeList(UNANSWERED_ORDER, {
  sort: "sentAtMs",
  ties: ["orderUuid"],
  beginnings: ["orderUuid", "accountId", "externalId", "ownerId", "keyId"],
  isCounted: true,
});
