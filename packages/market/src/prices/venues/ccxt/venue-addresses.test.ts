import { describe, expect, test } from "vitest";
import { hostsOf, withOrigin } from "./venue-addresses.ts";

describe("addresses of a venue", () => {
  test("all of them get the other origin, with their paths", () => {
    const addresses = {
      public: "https://api.{hostname}",
      ws: { spot: "wss://stream.venue.test:9443/ws", list: ["http://a.test/v1?x=1"] },
      none: null,
    };
    expect(withOrigin(addresses, "http://127.0.0.1:9001")).toEqual({
      public: "http://127.0.0.1:9001",
      ws: { spot: "ws://127.0.0.1:9001/ws", list: ["http://127.0.0.1:9001/v1?x=1"] },
      none: null,
    });
    expect(withOrigin("wss://ws.venue.test/v2", "https://proxy.test")).toBe("wss://proxy.test/v2");
  });

  test("only their hosts may be reached", () => {
    const hosts = hostsOf(
      { rest: "https://api.{hostname}", ws: ["wss://ws.venue.test:9443/x"] },
      "venue.test",
    );
    expect([...hosts]).toEqual(["api.venue.test", "ws.venue.test:9443"]);
  });
});
