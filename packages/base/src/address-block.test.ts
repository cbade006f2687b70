import { describe, expect, test } from "vitest";
import {
  canonicalAddress,
  createAddressFilter,
  readAddressBlock,
  readAddressBlocks,
} from "./address-block.ts";

describe("an address block [D13.addressBlocks]", () => {
  test.each([
    ["10.0.0.1", "10.0.0.1"],
    ["10.0.0.1/32", "10.0.0.1"],
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["::1", "::1"],
    ["0:0:0:0:0:0:0:1/128", "::1"],
    ["2001:DB8:0::/32", "2001:db8::/32"],
    ["::ffff:192.0.2.0/120", "192.0.2.0/24"],
    ["::ffff:c000:201", "192.0.2.1"],
    ["::/0", "::/0"],
  ])("%s is read as %s", (text, block) => {
    expect(readAddressBlock(text)).toEqual({ block });
  });

  test.each([
    ["127.0.0.1/0", "0.0.0.0/0"],
    ["127.0.0.1/8", "127.0.0.0/8"],
    ["10.1.2.3/28", "10.1.2.0/28"],
    ["2001:db8::1/32", "2001:db8::/32"],
    ["::ffff:192.0.2.1/120", "192.0.2.0/24"],
  ])("%s has bits of a host, and the answer names the block %s", (text, block) => {
    const problem = `must not have bits of a host; the block is ${block}`;
    expect(readAddressBlock(text)).toEqual({ problem });
  });

  test.each([
    ...["fe80::1%eth0", "fe80::%eth0/64", "10.0.0.0/33", "::/129", "x", "", "1.2.3.4/8/8"],
    ...["127.0.0.0/08", "10.0.0.0/", "127.1", "010.0.0.1"],
  ])("%s is none [D10.addressOnce]", (text) => {
    expect(readAddressBlock(text)).toEqual({
      problem: "must be an address or CIDR block, without a zone",
    });
  });

  test("a list has one form of each block, once", () => {
    const read = readAddressBlocks(["10.0.0.1", "::1", "10.0.0.1/32", "::ffff:10.0.0.1"]);
    expect(read).toEqual({ blocks: ["10.0.0.1", "::1"] });
    expect(readAddressBlocks(["::1", "10.0.0.1/8"])).toMatchObject({ index: 1 });
  });
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
  ])("the plain form of %s is %s", (text, plain) => {
    expect(canonicalAddress(text)).toBe(plain);
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
  ])("a list of %s allows %s: %s", (block, address, allowed) => {
    expect(createAddressFilter([block])(address)).toBe(allowed);
  });

  test("an empty one allows every address", () => {
    expect(createAddressFilter([])("")).toBe(true);
  });
});
