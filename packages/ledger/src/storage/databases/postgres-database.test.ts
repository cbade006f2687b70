import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  openScratchPostgres,
  testPostgresUrl,
} from "../../../../server/src/testing/open-test-database.ts";
import { openPostgres } from "./postgres-database.ts";

const url = await testPostgresUrl();

describe("a PostgreSQL server", () => {
  test("a PostgreSQL server that does not answer is reported by its variable and address, without the password", async () => {
    const refused = openPostgres("postgres://trader:hunter2@127.0.0.1:1/firm");
    const text = await refused.then(String, String);
    expect(text).toMatch(/PROPGATE_DATABASE_URL \(127\.0\.0\.1:1\/firm\): no connection/);
    expect(text).not.toContain("hunter2");
  });

  test("a PostgreSQL server is not reached by a string that is no URL", async () => {
    await expect(openPostgres("firm at work")).rejects.toThrow(
      /PROPGATE_DATABASE_URL \(not a URL\)/,
    );
  });
});

describe.skipIf(url === null)("a PostgreSQL server that answers", () => {
  test("a PostgreSQL server that answers is rejected while it answers commits before they are durable", async () => {
    const scratch = await openScratchPostgres(url ?? "");
    const lax = new URL(scratch.url);
    lax.searchParams.set("options", "-c synchronous_commit=off");
    await expect(openPostgres(lax.href)).rejects.toThrow(/synchronous_commit is off/);
    const old = new URL(lax);
    old.searchParams.set("options", "-c bytea_output=escape");
    await expect(openPostgres(old.href)).rejects.toThrow(
      /bytea_output is escape.*set bytea_output/,
    );
    await scratch.close();
  });

  test("a PostgreSQL server that answers through a pooler with another client's statements is named", async () => {
    const scratch = await openScratchPostgres(url ?? "");
    const text = "select 1 as one";
    const name = createHash("sha256").update(text).digest("hex").slice(0, 40);
    const pooled = scratch.transaction(async (transaction) => {
      await transaction.query(`prepare "${name}" as select 2`);
      return transaction.query(text, []);
    });
    await expect(pooled).rejects.toThrow(/pooler .* keeps no prepared statements/);
    await scratch.close();
  });

  test("a PostgreSQL server that answers serves again after its connections were cut", async () => {
    const scratch = await openScratchPostgres(url ?? "");
    const cut = scratch.query("select pg_terminate_backend(pg_backend_pid())", []);
    await expect(cut).rejects.toThrow();
    expect(await scratch.query("select 1 as one", [])).toEqual([{ one: 1 }]);
    await scratch.close();
  });
});
