import { describe, expect, test } from "vitest";
import { isAddressBlock, readAddresses } from "./address-block.ts";

describe("an address or CIDR block", () => {
  test.each([
    "203.0.113.7",
    "0.0.0.0/0",
    "203.0.113.0/24",
    "10.0.0.1/32",
    "::1",
    "2001:db8::/32",
    "2001:DB8:0:0:0:0:0:1/128",
    "::ffff:203.0.113.7",
  ])("%s is one", (text) => {
    expect(isAddressBlock(text)).toBe(true);
  });

  test.each([
    "",
    "203.0.113",
    "203.0.113.256",
    "203.0.113.07",
    "203.0.113.0/33",
    "203.0.113.0/",
    "203.0.113.0/24/8",
    "203.0.113.0/-1",
    "2001:db8::/129",
    "2001:db8::1::2",
    "12345::1",
    "[::1]",
    "trade.example.com",
    "::1 ",
  ])("%s is none", (text) => {
    expect(isAddressBlock(text)).toBe(false);
  });
});

describe("addresses, one a line", () => {
  test("may be none", () => {
    expect(readAddresses(" \n\n")).toEqual({ addresses: [], problem: null });
  });

  test("are read without spaces, empty lines and repetitions", () => {
    expect(readAddresses(" 10.0.0.1 \n\n::1\r\n10.0.0.1")).toEqual({
      addresses: ["10.0.0.1", "::1"],
      problem: null,
    });
  });

  test("the first wrong line is named", () => {
    expect(readAddresses("10.0.0.1\n10.0.0\nx")).toEqual({
      problem: "Line 2: 10.0.0 is no address and no CIDR block.",
    });
  });

  test("there may be a hundred", () => {
    const lines = Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`);
    expect(readAddresses(lines.slice(1).join("\n")).problem).toBeNull();
    expect(readAddresses(lines.join("\n")).problem).toBe("At most 100 lines.");
  });
});
