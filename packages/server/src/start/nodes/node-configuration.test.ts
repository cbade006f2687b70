import { coreDigest, serviceRelease } from "@propgate/base";
import { expect, test } from "vitest";
import { SMALL_CATALOGUE } from "../../testing/small-market.ts";
import { configurationDifferences, nodeConfiguration } from "./node-configuration.ts";

const mine = nodeConfiguration({ instruments: SMALL_CATALOGUE, simulated: [] });

test("a node's configuration says which core decides its accounts, and the same configuration is no difference", () => {
  expect(mine.release).toBe(`${serviceRelease()} with core ${coreDigest()}`);
  expect(configurationDifferences(mine, { ...mine })).toEqual([]);
});

test.each([
  [
    { release: "0.1.0 with core 0123456789ab" },
    /^the release \(\S+ with core \w{12}, .* against 0\.1\.0 with core 0123456789ab/,
  ],
  [{ stateFormat: 0 }, /^the release \(.*state format 0\)$/],
  [{ catalogue: "0".repeat(64) }, /^the catalogue \(SHA-256 \w{12} against 000000000000\)$/],
])("a node does not run beside one with %j", (change, words) => {
  expect(configurationDifferences(mine, { ...mine, ...change })).toEqual([
    expect.stringMatching(words),
  ]);
});
