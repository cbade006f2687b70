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
const TERMS: Schema<unknown> = { json: { description: "The terms that bind it." } };

const END = object("The end of an account.", {
  reason: string("Its reason."),
  limit: nullable(id("The rule of the loss limit that ended it; null when no limit did.")),
  atMs: time("When it ended."),
  equity: nullable(number("The equity that the limit measured, USD; null without one.")),
  floor: nullable(number("The floor of the limit, USD; null without one.")),
  quotes: list(
    object("A quote that its figures lean on.", {
      pair: id("The pair."),
      bid: number("Its bid."),
      ask: number("Its ask."),
      atMs: time("Its time."),
      source: nullable(string("Where it came from; null when that is not known.")),
    }),
    "The quotes that its figures lean on.",
  ),
  sequence: count("The number of the event of its end."),
});

export const ACCOUNT_DETAIL = object("An account, and all that belongs to it.", {
  account: OPERATOR_ACCOUNT,
  snapshot: nullable(SNAPSHOT),
  program: nullable(
    object("The program that binds it now; null for an account of a validator.", {
      id: id("Its id."),
      version: count("Its version."),
      hash: string("The SHA-256 of the text of the terms, as the account's evidence has it."),
      terms: TERMS,
    }),
  ),
  people: list(
    OPERATOR_PERSON,
    "The people who have its owner's accounts; at most 500. `GET /people?ownerId=` lists all.",
  ),
  keys: list(
    OPERATOR_KEY,
    "Its API keys, the newest first; at most 500. `GET /keys?accountId=` lists all.",
  ),
  end: nullable(END),
  cursor: string("The place of its newest event, for `after` of its events."),
});
