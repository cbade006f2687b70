import { readdirSync } from "node:fs";
import { SIGNED_ENDPOINT_NAMES, SIGNED_ENDPOINTS } from "@propgate/contract";
import { describe, expect, test } from "vitest";

describe("every status of an endpoint has its test file, and no other [S7.statuses]", () => {
  test.each(SIGNED_ENDPOINT_NAMES)("%s", (name) => {
    const folder = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const files = readdirSync(new URL(`${folder}/`, import.meta.url))
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => Number(file.slice(0, 3)));
    const expected = [200, ...SIGNED_ENDPOINTS[name].errorStatuses];
    expect(files.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
  });
});
