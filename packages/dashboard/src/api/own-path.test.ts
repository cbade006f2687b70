import { describe, expect, test } from "vitest";
import { ownPath } from "./own-path.ts";

const ORIGIN = "https://pages.example";

describe("ownPath", () => {
  test.each(["/", "/a/1/keys", "/trades?from=1#2", "/%2F%2Fevil.example"])(
    "the path %s is accepted as one of these pages",
    (path) => {
      expect(ownPath(path, ORIGIN)).toBe(path);
    },
  );

  test.each([
    "https://evil.example/fake-sign-in",
    "https://pages.example.evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    " /a",
    "a/1",
    "",
    5,
    undefined,
  ])("the path %j is rejected because it leads elsewhere", (path) => {
    expect(ownPath(path, ORIGIN)).toBe(null);
  });
});
