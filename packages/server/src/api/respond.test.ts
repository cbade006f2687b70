import { unixMs } from "@propgate/core";
import type { Rejection } from "@propgate/wire";
import { describe, expect, test } from "vitest";
import { createResponder } from "./respond.ts";

const NOW = unixMs(1_000_000);

describe("the headers of a 429", () => {
  const responder = createResponder({
    brand: "propgate",
    networkName: "propgate",
    clock: { now: () => NOW },
  });
  const headersOf = (rejection: Rejection) => {
    const { headers } = responder.failure(rejection, { requestId: "id", seen: null });
    return [headers["Retry-After"], headers["X-RateLimit-Limit"], headers["X-RateLimit-Reset"]];
  };

  test.each<[string, Rejection, readonly (string | undefined)[]]>([
    [
      "of a used-up read budget names the budget and its end",
      { error: "rateLimited", retryAtMs: NOW + 1_500 },
      ["2", "120", "1002"],
    ],
    [
      "of a used-up receipt budget has no read budget",
      { error: "tooManyReceipts", retryAtMs: NOW + 1_500 },
      ["2", undefined, undefined],
    ],
    [
      "of too many expensive reads has no budget",
      { error: "rateLimited" },
      ["1", undefined, undefined],
    ],
  ])("the 429 %s [S8.headers]", (_title, rejection, expected) => {
    expect(headersOf(rejection)).toEqual(expected);
  });
});
