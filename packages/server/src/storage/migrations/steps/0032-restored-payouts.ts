import type { Migration } from "../migrate.ts";

/**
 * Why: after a restore, payouts that were paid since the backup are unpaid again. Operators must see which ones.
 * Can older code still run: yes, it does not read the table. Locks: none on other tables.
 */
export const RESTORED_PAYOUTS: Migration = {
  number: 32,
  name: "restored payouts",
  sql: `
create table restored_payouts (
  account_id uuid not null,
  payout_id text not null,
  primary key (account_id, payout_id)
);
`,
};
