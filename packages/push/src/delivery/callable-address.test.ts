import { networkInterfaces } from "node:os";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings } from "../../../../test/environment/depth.ts";
import { type AddressReach, addressReach, isCallable } from "./callable-address.ts";

const group = (high: number, low: number): string => ((high << 8) | low).toString(16);
const inverted = (byte: number): number => byte ^ 0xff;

describe("the reach of an address", () => {
  test.each<readonly [string, AddressReach]>([
    ["93.184.216.34", "public"],
    ["1.1.1.1", "public"],
    ["172.15.255.255", "public"],
    ["172.32.0.0", "public"],
    ["126.255.255.255", "public"],
    ["128.0.0.0", "public"],
    ["223.255.255.255", "public"],
    ["2606:4700:4700::1111", "public"],
    ["2a00:1450:4001:80b::200e", "public"],
    ["10.0.0.0", "private"],
    ["10.255.255.255", "private"],
    ["172.16.0.0", "private"],
    ["172.31.255.255", "private"],
    ["192.168.0.1", "private"],
    ["127.0.0.1", "private"],
    ["127.255.255.254", "private"],
    ["::1", "private"],
    ["fc00::1", "private"],
    ["fdff:ffff::1", "private"],
    ["0.0.0.0", "never"],
    ["0.1.2.3", "never"],
    ["100.64.0.1", "never"],
    ["100.127.255.254", "never"],
    ["169.254.0.1", "never"],
    ["192.0.0.8", "never"],
    ["192.0.2.1", "never"],
    ["192.88.99.1", "never"],
    ["198.19.255.255", "never"],
    ["198.51.100.7", "never"],
    ["203.0.113.7", "never"],
    ["224.0.0.1", "never"],
    ["239.255.255.255", "never"],
    ["240.0.0.1", "never"],
    ["255.255.255.255", "never"],
    ["::", "never"],
    ["::7f00:1", "never"],
    ["::93.184.216.34", "never"],
    ["::ffff:0:127.0.0.1", "never"],
    ["1::1", "never"],
    ["100::1", "never"],
    ["2001:2::1", "never"],
    ["2001:10::1", "never"],
    ["2001:20::1", "never"],
    ["2001:db8::1", "never"],
    ["3fff::1", "never"],
    ["4000::1", "never"],
    ["5f00::1", "never"],
    ["64:ff9b:1::5db8:d822", "never"],
    ["fe80::1", "never"],
    ["fec0::1", "never"],
    ["ff02::1", "never"],
    ["169.254.169.254", "never"],
    ["168.63.129.16", "never"],
    ["100.100.100.200", "never"],
    ["fd00:ec2::254", "never"],
    ["fd20:ce::254", "never"],
    ["fe80::1%eth0", "never"],
    ["::1%lo", "never"],
    ["0x7f.0.0.1", "never"],
    ["0177.0.0.1", "never"],
    ["127.1", "never"],
    ["example.com", "never"],
    ["", "never"],
  ])("%s is %s", (address, reach) => {
    expect(addressReach(address)).toBe(reach);
  });

  test("an IPv6 address that contains an IPv4 address has the reach of the one inside", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const anyOrSpecial = fc.oneof(
      fc.tuple(byte, byte, byte, byte),
      fc.tuple(fc.constantFrom(10, 127, 169, 172, 192), fc.constantFrom(16, 168, 254), byte, byte),
    );
    fc.assert(
      fc.property(anyOrSpecial, ([a, b, c, d]) => {
        const dotted = `${a}.${b}.${c}.${d}`;
        const hex = `${group(a, b)}:${group(c, d)}`;
        const client = `${group(inverted(a), inverted(b))}:${group(inverted(c), inverted(d))}`;
        const publicServer = "5db8:d822";
        const wrapped = [
          `::ffff:${dotted}`,
          `::ffff:${hex}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::1`,
          `2001:0:${hex}:0:0:a247:27dd`,
          `2001:0:${publicServer}:0:0:${client}`,
        ];
        const reach = addressReach(dotted);
        expect(wrapped.map(addressReach)).toEqual(wrapped.map(() => reach));
      }),
      propertySettings(5000),
    );
  });
});

describe("the judgement of a call", () => {
  const rules = (allowsPrivate: boolean) => ({ ports: new Set([443, 8443]), allowsPrivate });

  test.each([
    ["https://a.example/", "93.184.216.34", false, true],
    ["https://a.example:8443/", "93.184.216.34", false, true],
    ["https://a.example:444/", "93.184.216.34", false, false],
    ["http://a.example/", "93.184.216.34", false, false],
    ["https://a.example/", "10.0.0.1", false, false],
    ["https://a.example/", "169.254.1.1", false, false],
    ["https://a.example/", "93.184.216.34", true, true],
    ["https://a.example/", "10.0.0.1", true, true],
    ["http://a.example:81/", "10.0.0.1", true, true],
    ["http://a.example:81/", "::1", true, true],
    ["http://a.example/", "93.184.216.34", true, false],
    ["https://a.example:444/", "93.184.216.34", true, false],
    ["https://a.example/", "169.254.169.254", true, false],
  ])("a call of %s at %s, private ones allowed %s, is allowed %s", (...row) => {
    const [url, address, allowsPrivate, isAllowed] = row;
    const target = { url: new URL(url), rules: rules(allowsPrivate), ownListeners: [] };
    expect(isCallable(address, target)).toBe(isAllowed);
  });

  const [machine] = Object.values(networkInterfaces())
    .flatMap((one = []) => one)
    .filter(({ address }) => addressReach(address) === "private");

  test.each([
    ["127.0.0.1", "127.0.0.1", 8443, false],
    ["127.0.0.1", "::ffff:127.0.0.1", 8443, false],
    ["127.0.0.1", "127.0.0.1", 443, true],
    ["127.0.0.1", "10.0.0.1", 8443, true],
    ["::1", "::1", 8443, false],
    ["0.0.0.0", "127.0.0.1", 8443, false],
    ["0.0.0.0", "127.3.3.3", 8443, false],
    ["0.0.0.0", "10.254.253.252", 8443, true],
    ["::", "127.0.0.1", 8443, false],
    ["::", "::1", 8443, false],
    ["::", machine?.address ?? "::1", 8443, false],
    ["localhost", "127.0.0.1", 8443, false],
  ])("a listener of the process at %s decides whether %s:%d may be called: %s", (...row) => {
    const [host, address, port, isAllowed] = row;
    const url = new URL(`https://a.example:${port}/`);
    const target = { url, rules: rules(true), ownListeners: [{ host, port: 8443 }] };
    expect(isCallable(address, target)).toBe(isAllowed);
  });
});
