import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { wireJson } from "../../../base/src/wire-json.ts";
import type { AnswerSource } from "../../../ledger/src/storage/rows/receipt-store-port.ts";
import { answeredResult } from "./order-answer.ts";

/**
 * Answers that a service with answer form 1 gave, one of each kind, with the data from which their receipts are
 * rendered.
 */
const FORM_1 = JSON.parse(
  readFileSync(new URL("../../fixtures/answers-1.json", import.meta.url), "utf8"),
) as readonly (AnswerSource & { readonly sent: string })[];

test("answers of form 1 are rendered to the byte as they were sent [D9.receipts]", () => {
  expect(FORM_1.length).toBe(7);
  for (const { sent, ...source } of FORM_1)
    expect(wireJson(answeredResult(source).result)).toBe(sent);
});
