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
  ])("the address %s is accepted", (text) => {
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
    "fe80::1%eth0",
    "fe80::%eth0/64",
  ])("the address %s is rejected", (text) => {
    expect(isAddressBlock(text)).toBe(false);
  });
});

describe("a list of addresses", () => {
  test("a list of addresses may be empty", () => {
    expect(readAddresses(" \n\n")).toEqual({ addresses: [], problem: null });
  });

  test("a list of addresses is read without spaces, empty lines and duplicates", () => {
    expect(readAddresses(" 10.0.0.1 \n\n::1\r\n10.0.0.1")).toEqual({
      addresses: ["10.0.0.1", "::1"],
      problem: null,
    });
  });

  test("the problem of a list names its first invalid line", () => {
    expect(readAddresses("10.0.0.1\n10.0.0\nx")).toEqual({
      problem: "Line 2: 10.0.0 is neither an address nor a CIDR block.",
    });
  });

  test("an IPv6 zone is rejected with a hint [D10.addressOnce]", () => {
    expect(readAddresses("fe80::1%eth0")).toEqual({
      problem:
        "Line 1: fe80::1%eth0 is neither an address nor a CIDR block (leave out the zone, %…).",
    });
  });

  test("a list of addresses has at most a hundred lines", () => {
    const lines = Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`);
    expect(readAddresses(lines.slice(1).join("\n")).problem).toBeNull();
    expect(readAddresses(lines.join("\n")).problem).toBe("At most 100 lines.");
  });
});
