import { expect, test } from "vitest";
import { listenOrigin, parseListenAddress } from "./listen-address.ts";

test.each([
  ["127.0.0.1:8788", { host: "127.0.0.1", port: 8788 }, "http://127.0.0.1:8788"],
  ["localhost:0", { host: "localhost", port: 0 }, "http://localhost:0"],
  ["[::1]:8788", { host: "::1", port: 8788 }, "http://[::1]:8788"],
])("%s is where to listen", (text, address, origin) => {
  expect(parseListenAddress(text)).toEqual(address);
  expect(listenOrigin(address)).toBe(origin);
});

test.each([
  "",
  "8788",
  ":8788",
  "127.0.0.1",
  "::1:8788",
  "[::1]",
  "[x]:1",
  "h:65536",
  "h:-1",
  "a b:1",
])("%j is not an address to listen at", (text) => {
  expect(parseListenAddress(text)).toBeNull();
});
