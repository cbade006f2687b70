import type { SignedEndpointName } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { wireJson } from "../../base/wire-json.ts";
import { expectDescribed } from "../../testing/described-answer.ts";
import { madeReadings } from "../testing/made-readings.ts";
import {
  answeredFigures,
  answersAbout,
  figures,
  RECORDED_NAMES,
  recorded,
  recordedPairs,
} from "../testing/recorded-subaccount.ts";
import { linkedInstrumentViews } from "./instruments.ts";

const ENDPOINTS: Readonly<Record<string, SignedEndpointName>> = {
  account: "getAccount",
  positions: "getPositions",
  orders: "getOrders",
  trades: "getTrades",
};

function expectPublishedShape(name: SignedEndpointName, data: unknown): void {
  const text = wireJson({ success: true, data });
  expectDescribed(name, {
    status: 200,
    headers: {},
    text,
    json: () => JSON.parse(text) as unknown,
  });
}

describe("a recorded subaccount of a validator [S2.1] [S2.2] [S2.3] [S2.4] [S2.5]", () => {
  test.each(RECORDED_NAMES)("%s is answered with the figures of its table", (name) => {
    const answered = answeredFigures(recorded(name));
    expect(Object.fromEntries(answered as ReadonlyMap<string, unknown>)).toEqual(
      Object.fromEntries(figures(name)),
    );
  });

  test.each(RECORDED_NAMES)("%s is answered in the published shape", (name) => {
    const { payouts, ...answers } = answersAbout(recorded(name)) as Record<string, unknown>;
    for (const [key, data] of Object.entries(answers)) {
      const endpoint = ENDPOINTS[key];
      expect(endpoint).toBeDefined();
      if (endpoint !== undefined) expectPublishedShape(endpoint, data);
    }
    const { next: _, ...page } = payouts as { readonly next: unknown };
    expectPublishedShape("getPayouts", { ...page, nextCursor: null });
  });

  test("instruments have the published shape", () => {
    const views = linkedInstrumentViews(madeReadings({}).readings, recordedPairs());
    expect(views.length).toBeGreaterThan(15);
    expectPublishedShape("getInstruments", views);
  });

  test("there are eleven, and each table has every figure of the account", () => {
    expect(RECORDED_NAMES).toHaveLength(11);
    for (const name of RECORDED_NAMES) expect(figures(name).size).toBeGreaterThan(100);
  });
});
