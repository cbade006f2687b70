/** Programs with the operator's client: those that must not compile, and those that must. */
import { describe, expect, test } from "vitest";
import { openEditor } from "./program-editor.ts";

const open = openEditor(
  "an-operator-program",
  `
import { createOperator, OperatorError } from "@propgate/operator";
const operator = createOperator({ baseUrl: "http://127.0.0.1:8788", token: "t" });
void OperatorError;
`,
);

const opened = ([title = "", program = ""]: readonly string[]) => [title, open(program)] as const;

describe("the types of the operator's client [D12.lists]", () => {
  test.each(
    [
      ["a field that a body does not have", `await operator.accounts.open({ sise: 50_000 });`],
      ["a body without a required field", `await operator.accounts.open({ ownerId: "ann" });`],
      ["no body where one is required", `await operator.accounts.promote("a");`],
      ["a call without its id", `await operator.accounts.get();`],
      ["a filter that a list does not have", `await operator.accounts.list({ state: "active" });`],
      ["a word that a filter does not have", `await operator.accounts.list({ status: "aktive" });`],
      ["a bound of a text", `await operator.accounts.list({ ownerNameMin: 1 });`],
      ["a number as a text", `await operator.accounts.list({ sizeMin: "1" });`],
      ["a sort of another field", `await operator.accounts.list({ sort: "-siz" });`],
      [
        "a field that was left out",
        `(await operator.accounts.list({ fields: ["size"] })).items[0]?.equity;`,
      ],
      ["a required parameter left out", `await operator.search({});`],
      [
        "a row with another field",
        `await operator.accounts.bulk({ rows: [{ size: 1, sizes: 2 }] });`,
      ],
      [
        "a payment's row without its payout",
        `await operator.payouts.bulk({ rows: [{ status: "paid" }] });`,
      ],
      ["a page of a file", `(await operator.accounts.list({ format: "csv" })).items;`],
      ["a call that does not exist", `await operator.accounts.remove("a");`],
    ].map(opened),
  )("%s does not compile", (_title, program) => {
    expect(program.errors()).not.toEqual([]);
  });

  test.each(
    [
      [
        "a body",
        `const { accountId } = await operator.accounts.open({ size: 1 }); accountId.trim();`,
      ],
      ["a list without filters", `(await operator.accounts.list()).items[0]?.equity?.toFixed();`],
      [
        "filters",
        `await operator.accounts.list({ status: ["active"], sizeMin: 1, endedAtMs: null, isStale: true });`,
      ],
      ["fields", `(await operator.accounts.list({ fields: ["size"] })).items[0]?.size?.toFixed();`],
      [
        "items of all pages",
        `for await (const { key } of await events()) key.trim();
       async function events() { return (await operator.exposure({ status: "active" })).items; }`,
      ],
      [
        "an iterator",
        `for await (const payout of await operator.payouts.list()) payout.amount.toFixed();`,
      ],
      ["sums", `(await operator.payouts.list()).sums[0]?.amount.toFixed();`],
      ["a file", `await (await operator.payouts.list({ format: "csv", status: "paid" })).text();`],
      ["options", `await operator.health({}, { timeoutMs: 5_000 });`],
      ["a key of its own", `await operator.keys.revoke("k", {}, { idempotencyKey: "1" });`],
      ["two ids", `await operator.accounts.order("a", "o");`],
      [
        "a payment's row",
        `for await (const { row } of await operator.payouts.bulk({ rows: [{ id: "p", status: "paid" }] })) row.toFixed();`,
      ],
      [
        "the code of an error",
        `try { await operator.health(); } catch (error) {
         if (error instanceof OperatorError && error.code === "account_limit") error.details.max;
       }`,
      ],
    ].map(opened),
  )("%s compiles", (_title, program) => {
    expect(program.errors()).toEqual([]);
  });
});
