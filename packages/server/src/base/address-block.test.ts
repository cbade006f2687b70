import { describe, expect, test } from "vitest";
import { addressFilter, isAddressBlock, plainAddress } from "./address-block.ts";

describe("an address block", () => {
  test.each(["10.0.0.1", "10.0.0.0/8", "::1", "2001:db8::/32", "::ffff:192.0.2.0/120"])(
    "%s is one",
    (text) => expect(isAddressBlock(text)).toBe(true),
  );

  test.each(["fe80::1%eth0", "fe80::%eth0/64", "10.0.0.0/33", "::/129", "x", "", "1.2.3.4/8/8"])(
    "%s is none [D10.addressOnce]",
    (text) => expect(isAddressBlock(text)).toBe(false),
  );
});

describe("the plain form of an address [D10.addressOnce]", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:0201", "192.0.2.1"],
    ["0:0:0:0:0:ffff:c000:201", "192.0.2.1"],
    ["2001:db8::1", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["", null],
    ["unknown", null],
    ["192.0.2.1:443", null],
    ["2130706433", null],
  ])("%s: %s", (text, plain) => {
    expect(plainAddress(text)).toBe(plain);
  });
});

describe("an address list [D8.keyLimits]", () => {
  test.each([
    ["192.0.2.1", "::ffff:192.0.2.1", true],
    ["::ffff:192.0.2.1", "192.0.2.1", true],
    ["::ffff:192.0.2.0/120", "192.0.2.200", true],
    ["::ffff:192.0.2.0/120", "192.0.3.1", false],
    ["::ffff:c000:201", "192.0.2.1", true],
    ["fe80::/10", "fe80::1%eth0", true],
    ["2001:db8::/32", "2001:DB8:0::1", true],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["0.0.0.0/0", "unknown", false],
    ["fe80::1%eth0", "fe80::1", false],
  ])("with %s, %s is allowed: %s", (block, address, allowed) => {
    expect(addressFilter([block])(address)).toBe(allowed);
  });

  test("an empty one allows every address", () => {
    expect(addressFilter([])("")).toBe(true);
  });
});
