import { describe, expect, test } from "vitest";
import { isUnavailable } from "./database-error.ts";

function errorOf(code: string): Error {
  return Object.assign(new Error("from the server"), { code });
}

describe("an error of the database", () => {
  test.each([
    ["08006", "a connection that broke"],
    ["25006", "a standby that takes no writes yet"],
    ["53100", "a full disk"],
    ["53300", "too many connections"],
    ["57014", "a statement that was cancelled"],
    ["57P01", "a shutdown by the administrator"],
    ["57P02", "a crash of another process"],
    ["57P03", "a server that starts or recovers"],
    ["58030", "a file that cannot be read"],
  ])("%s means that it is away for a while: %s", (code) => {
    expect(isUnavailable(errorOf(code))).toBe(true);
  });

  test.each([
    ["23505", "a key that exists"],
    ["42601", "a wrong statement"],
    ["22P02", "a wrong value"],
    ["ECONNRESET", "an error of the operating system without the database's class"],
  ])("%s does not mean that it is away: %s", (code) => {
    expect(isUnavailable(errorOf(code))).toBe(false);
  });
});
