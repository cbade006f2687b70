import type { Migration } from "../migrate.ts";

/**
 * Why: the receipt of an order repeated, in some 900 bytes of text, what its journal lines say. It now names
 * the lines, and the answer is rendered from them when it is read. Can older code still run: yes, but it shows
 * an order that a newer node accepted as pending; upgrade all nodes before clients read receipts. Locks:
 * `receipts`, for a moment: the columns are null, and the check is not made on the rows that are there, which
 * satisfy it by the former one.
 *
 * `first_seq` and `lines` are the number of the order's first journal line and how many lines it wrote. `rest`
 * is JSON: what the answer says beyond the lines. Rejections have none of these columns. Accepted orders of
 * linked accounts and of earlier releases have `result` instead. `received_at_ms` is null when the moment of
 * admission is only with the nonce.
 */
export const RECEIPTS_FROM_JOURNAL: Migration = {
  number: 23,
  name: "receipts-from-journal",
  sql: `
alter table receipts
  add column received_at_ms bigint,
  add column first_seq bigint,
  add column account_id uuid,
  add column lines integer,
  add column rest text,
  drop constraint receipts_check,
  add constraint receipts_check check (
    (status = 200) = (error is null)
    and num_nulls(account_id, first_seq, lines, rest) in (0, 4)
    and num_nonnulls(result, rest) = case status when 200 then 1 else 0 end) not valid;
`,
};
