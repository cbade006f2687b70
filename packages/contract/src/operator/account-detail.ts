import { ACCOUNT } from "../resources/account.ts";
import {
  count,
  id,
  linked,
  list,
  nullable,
  number,
  object,
  type Schema,
  string,
  time,
} from "../schema.ts";
import { OPERATOR_ACCOUNT } from "./accounts.ts";
import { OPERATOR_KEY } from "./keys.ts";
import { OPERATOR_PERSON } from "./people.ts";

/** The account as GET account answers it. A figure that a validator did not send is null. */
const SNAPSHOT: Schema<unknown> = { json: linked(ACCOUNT).json };
const TERMS: Schema<unknown> = {
  json: { description: "The terms of the program that apply to the account." },
};

const END = object(
  "How the account was eliminated; null for an account that was not eliminated, and for an account of a validator.",
  {
    reason: string(
      "A reason code as in `elimination.reason` of GET account, or the operator's own text.",
    ),
    limit: nullable(id("The `rule` of the loss limit that was breached; null when no limit was.")),
    atMs: time("When the account was eliminated."),
    equity: nullable(
      number("The equity that the breached limit measured, USD; null when no limit was breached."),
    ),
    floor: nullable(
      number(
        "The floor of the breached limit: the lowest equity that is not a breach, USD. Null when no limit was breached.",
      ),
    ),
    quotes: list(
      object("A quote from which the figures of the elimination were computed.", {
        pair: id("The pair."),
        bid: number("Bid price."),
        ask: number("Ask price."),
        atMs: time("Time of the quote."),
        source: nullable(string("The price source of the quote; null when it is not known.")),
      }),
      "The quotes from which the figures of the elimination were computed.",
    ),
    sequence: count("Sequence number of the `account.eliminated` event."),
  },
);

export const ACCOUNT_DETAIL = object("An account with its program, people, keys and end.", {
  account: OPERATOR_ACCOUNT,
  snapshot: nullable(SNAPSHOT),
  program: nullable(
    object("The program that applies to the account now; null for an account of a validator.", {
      id: id("The id of the program."),
      version: count("The version of the program."),
      hash: string("SHA-256 of the text of the terms, as in the account's evidence."),
      terms: TERMS,
    }),
  ),
  people: list(
    OPERATOR_PERSON,
    "The people who may sign in for the account's owner; at most 500. `GET /people?ownerId=` lists all.",
  ),
  keys: list(
    OPERATOR_KEY,
    "The API keys of the account, newest first; at most 500. `GET /keys?accountId=` lists all.",
  ),
  end: nullable(END),
  cursor: string(
    "The cursor of the account's newest event, to pass as `after` when its events are read.",
  ),
});
