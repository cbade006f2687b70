import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";

const ID = randomUUID();

/** The code trusts that these columns have only words that it knows, so the database refuses all others. */
await describeOnEachDatabase("a column", (database) => {
  const account = (status: string, network = "embedded") =>
    database().query(
      `insert into accounts (account_id, owner_id, status, version, head_hash, exposed, created_at_ms, network)
       values ($1, 'o', $2, 1, ''::bytea, false, 1, $3)`,
      [randomUUID(), status, network],
    );
  const person = (role: string) =>
    database().query(
      `insert into people (person_id, name, name_key, role, created_at_ms)
       values ($1, $2, $2, $3, 1)`,
      [randomUUID(), randomUUID(), role],
    );
  const receipt = (rest: string) =>
    database().query(
      `insert into receipts (key_id, nonce, decided_at_ms, status, account_id, first_seq, lines, rest)
       values ('pk', $1, 1, 200, $2, 1, 1, $3)`,
      [randomUUID(), ID, rest],
    );

  test.each<[string, () => Promise<unknown>, () => Promise<unknown>, string]>([
    ["status of an account", () => account("closed"), () => account("paused"), "accounts_status"],
    ["network", () => account("active"), () => account("active", "x"), "accounts_network"],
    ["role of a person", () => person("owner"), () => person("admin"), "people_role"],
    ["form of an answer", () => receipt("[1,{}]"), () => receipt("[2,{}]"), "receipts_rest"],
  ])("the %s takes the words of the code and no other", async (_, known, other, constraint) => {
    await known();
    await expect(other()).rejects.toThrow(`violates check constraint "${constraint}_check"`);
  });
});
