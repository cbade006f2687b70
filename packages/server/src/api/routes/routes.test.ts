import { readdirSync } from "node:fs";
import { SIGNED_ENDPOINT_NAMES, SIGNED_ENDPOINTS } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { openEndpointUnderTest, SHARED_SUITES } from "../../testing/endpoint-statuses.suite.ts";

describe.each(SIGNED_ENDPOINT_NAMES)("%s", (name) => {
  const { method, path, errorStatuses } = SIGNED_ENDPOINTS[name];
  const endpoint = openEndpointUnderTest(name);
  const ownStatuses = statusesWithOwnFile(name);

  test("the folder of an endpoint has test files for statuses of the contract only, 200 and 400 always [S7.statuses]", () => {
    const listed = [200, ...errorStatuses];
    expect(listed).toEqual(expect.arrayContaining([...ownStatuses]));
    const unshared = listed.filter((status) => status === 200 || status === 400);
    expect(ownStatuses).toEqual(expect.arrayContaining([...unshared]));
  });

  for (const status of errorStatuses) {
    if (status === 400 || REPLACED[name]?.includes(status) === true) continue;
    describe(`${method} ${path} answers ${status} [S7.statuses]`, () =>
      SHARED_SUITES[status](endpoint));
  }
});

/** Statuses whose causes are specific to one endpoint, so a separate file tests them instead of the shared suites. */
const REPLACED: Partial<Record<string, readonly number[]>> = {
  placeOrder: [429],
  cancelAllAfter: [429],
  getCandles: [503],
  getReceipt: [429, 503],
  // The 503 of GET events has one cause only: the database.
  getEvents: [503],
  // The 429 has its own limit: a key may have fewer streams than reads.
  getEventStream: [429, 503],
  getOrder: [503],
  getOrderHistory: [503],
  getFills: [503],
};

function statusesWithOwnFile(name: string): readonly number[] {
  const folder = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return readdirSync(new URL(`${folder}/`, import.meta.url))
    .filter((file) => /^\d+\.test\.ts$/.test(file))
    .map((file) => Number(file.slice(0, 3)));
}
