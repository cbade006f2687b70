import { ERROR_NAMES, ERRORS } from "@propgate/contract";
import { describe, expect, it } from "vitest";
import { remedyOf } from "./remedies.ts";

describe("The remedies of the API reference", () => {
  it("tell to read the receipt of an order whose fate is open before it is sent again [S4.2.notIdempotent]", () => {
    const receiptFirst = ERROR_NAMES.filter((name) =>
      remedyOf(name, ERRORS[name].retry).includes("read the receipt of its nonce first"),
    );

    expect(receiptFirst).toEqual(["nonceUsed", "unknownFate", "internal"]);
  });

  it("say that a rejected order may be corrected and sent under a fresh nonce", () => {
    expect(remedyOf("orderRefused", "afterFixing")).toBe(
      "Correct the request, sign it again with a fresh nonce, and send it.",
    );
  });
});
