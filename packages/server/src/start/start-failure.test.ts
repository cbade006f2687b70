import { CannotStart } from "@propgate/base";
import { DatabaseUnusable } from "@propgate/ledger";
import { expect, test } from "vitest";
import { DatabaseAway } from "../../../ledger/src/storage/databases/database-error.ts";
import { startFailureOf } from "./start-failure.ts";

/** An error as the driver of PostgreSQL throws it. */
const ended = (code: string): Error =>
  Object.assign(new Error("terminating connection"), { code, severity: "FATAL" });

test.each([ended("25P03"), ended("57P01"), ended("53300"), new DatabaseAway("no answer in time")])(
  "a start that the database ends with %s is no fault of this program, and says that it may be repeated",
  (cause) => {
    expect(startFailureOf(cause)).toBeInstanceOf(CannotStart);
    expect(startFailureOf(cause)).toMatchObject({
      message: `The database failed during the start: ${cause.message}`,
      fix: expect.stringContaining("Start again"),
      cause,
    });
  },
);

test.each([
  new DatabaseUnusable("the server is too old"),
  new CannotStart("no such folder"),
  ended("42601"),
  new TypeError("x is not a function"),
])("a start that fails with %s keeps its own words", (cause) => {
  expect(startFailureOf(cause)).toBe(cause);
});
