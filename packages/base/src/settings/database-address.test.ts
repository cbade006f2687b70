import { describe, expect, test } from "vitest";
import { databaseAddressProblem } from "./database-address.ts";

const START = "must start with postgres:// or postgresql://";

describe("the address of a database", () => {
  test.each([
    "postgres://db/propgate",
    "postgresql://u:pw@db:6432/propgate",
    "postgres://u:p%23%2F%3F%40%25s@db/propgate",
    "postgres://u:a:b@db/propgate",
    "postgres://u@[2001:db8::1]:5432/propgate",
    "postgres:///propgate?host=/var/run/postgresql",
    "postgres://u:pw@/propgate?host=/cloudsql/a:b:c",
    "postgres://u@%2Fvar%2Frun/propgate",
    "postgres://u:pw@db/propgate?sslmode=disable",
    "postgres://u:pw@db/propgate?sslmode=require",
    "postgres://u:pw@db/propgate?sslmode=verify-ca&sslrootcert=/etc/ca.pem",
    "postgres://u:pw@db/propgate?sslmode=verify-full&sslrootcert=system",
  ])("%s is taken", (text) => {
    expect(databaseAddressProblem(text)).toBeNull();
  });

  test.each([
    ['"postgres://u:secret@db/x"', "has quotes around it; remove them"],
    ["jdbc:postgresql://db/x?password=secret", `${START}, without jdbc:`],
    ["host=db dbname=x password=secret", `${START}; it is a list of name=value, not a URL`],
    ["mysql://u:secret@db/x", START],
    ["postgres://", START],
    ["postgres://u:secret#1@db/x", "cannot be read; write # / ? @ % and : of a password as %23"],
    ["postgres://u:1#secret@db/x", "cannot be read; write #"],
    ["postgres://u:secret/@db/x", "cannot be read; write #"],
    ["postgres://u:1/secret@db/x", "cannot be read; write #"],
    ["postgres://u:1?secret@db/x", "cannot be read; write #"],
    ["postgres://u:50%secret@db/x", "cannot be read; write #"],
    ["postgres://u:secret@one:5432,two:5432/x", "names several hosts"],
    ["postgres://u:secret@db/x?sslmode=prefer", "has sslmode=prefer, which may go on without"],
    ["postgres://u:secret@db/x?sslmode=allow", "has sslmode=allow, which may go on without"],
    ["postgres://u:secret@db/x?sslmode=no-verify", "has an unknown sslmode; it is one of disable"],
    ["postgres://u:secret@db/x?sslmode=verify-ca", "has sslmode=verify-ca without sslrootcert"],
    ["postgres://u:secret@db/x?ssl=true", "has ssl, which libpq does not know"],
  ])("%s is refused in words that repeat no part of it", (text, words) => {
    const problem = databaseAddressProblem(text) ?? "";
    expect(problem).toContain(words);
    expect(problem).not.toContain("secret");
  });
});
