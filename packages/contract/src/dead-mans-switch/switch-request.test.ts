import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parseCancelAllAfter, SWITCH_REQUEST } from "./switch-request.ts";

const RANGE = "'seconds' must be a whole number from 1 to 86400, or 0";
const isPublished = new Ajv2020({ strict: false }).compile(SWITCH_REQUEST.json);

describe("the body of the dead man's switch [D9.cancelAllAfter]", () => {
  test.each([
    [{ seconds: 60 }, { seconds: 60, action: "cancel" }],
    [
      { seconds: 1, action: "flatten" },
      { seconds: 1, action: "flatten" },
    ],
    [
      { seconds: 86_400, action: "cancel" },
      { seconds: 86_400, action: "cancel" },
    ],
    [{ seconds: 0 }, { seconds: null, action: "cancel" }],
    [
      { seconds: 5, action: null },
      { seconds: 5, action: "cancel" },
    ],
  ])("%j is read", (body, fields) => {
    expect(parseCancelAllAfter(body)).toEqual({ ok: true, fields, ignoredFields: [] });
    expect(isPublished(Object.fromEntries(Object.entries(body).filter(([, one]) => one)))).toBe(
      body.seconds !== 0,
    );
  });

  test.each([
    [[], "request body must be a JSON object"],
    [{}, "'seconds' is required"],
    [{ seconds: null }, "'seconds' is required"],
    [{ seconds: -1 }, RANGE],
    [{ seconds: 0.5 }, RANGE],
    [{ seconds: "60" }, RANGE],
    [{ seconds: 86_401 }, RANGE],
    [{ seconds: 60, action: "close" }, "'action' must be one of cancel, flatten"],
  ])("%j is rejected with the field's name", (body, message) => {
    expect(parseCancelAllAfter(body)).toEqual({ ok: false, message });
    expect(isPublished(body)).toBe(false);
  });

  test("an unknown field is no error but is named, and the account's id is known", () => {
    const body = {
      seconds: 60,
      acton: "flatten",
      accountId: "5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11",
    };
    expect(parseCancelAllAfter(body)).toMatchObject({ ok: true, ignoredFields: ["acton"] });
  });
});
