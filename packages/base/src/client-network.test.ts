import { describe, expect, test } from "vitest";
import { clientNetworkOf, wideClientNetworkOf } from "./client-network.ts";

describe("addresses that are counted together", () => {
  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:0db8:0001:0002::9", "2001:db8:1:2"],
    ["2001:db8::9", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0"],
    ["", ""],
  ])("%s counts as %s", (address, network) => {
    expect(clientNetworkOf(address)).toBe(network);
  });

  test.each([
    ["203.0.113.9", "203.0.113"],
    ["::ffff:203.0.113.9", "203.0.113"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:00"],
    ["2001:db8:1:ff02::1", "2001:db8:1:ff"],
    ["2001:db8:1:ffff::1", "2001:db8:1:ff"],
    ["2001:db8::9", "2001:db8:0:00"],
  ])("%s counts as %s for connections [D13.connections]", (address, network) => {
    expect(wideClientNetworkOf(address)).toBe(network);
  });
});
