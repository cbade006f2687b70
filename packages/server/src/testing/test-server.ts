import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { databasePrefix, runNameOf } from "../../../../test/environment/run-name.ts";

export function postgresServerUrl(): string {
  return process.env.PROPGATE_TEST_DATABASE_URL ?? "postgres://root@127.0.0.1:5432/test";
}

/**
 * A name for a database on the server for tests. The end of the run recognizes by this name a database that a test left
 * behind.
 */
export function newDatabaseName(): string {
  return `${databasePrefix(runNameOf(tmpdir()))}${randomUUID().replaceAll("-", "")}`;
}
