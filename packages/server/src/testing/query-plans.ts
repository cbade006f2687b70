import type { Database } from "../../../ledger/src/storage/databases/database.ts";

/** The plans of the statements that `read` sends. The statements are not carried out. */
export async function queryPlans(
  database: Database,
  read: (database: Database) => Promise<unknown>,
): Promise<string> {
  const plans: string[] = [];
  await read({
    ...database,
    async query(text, parameters = []) {
      const values = parameters.map((value) => `'${String(value)}'`).join(", ");
      const lines = await database.transaction(async (transaction) => {
        await transaction.query(`prepare page as ${text}`);
        const rows = await transaction.query<{ "QUERY PLAN": string }>(
          `explain (costs off) execute page (${values})`,
        );
        await transaction.query("deallocate page");
        return rows;
      });
      plans.push(lines.map((line) => line["QUERY PLAN"]).join("\n"));
      return [];
    },
  });
  return plans.join("\n");
}
