import { expect, test } from "vitest";
import { parseNatsUrl } from "./nats-address.ts";

test.each([
  ["nats://10.0.0.5", ["10.0.0.5:4222"], false, null, null],
  ["nats://one:4333, nats://two", ["one:4333", "two:4222"], false, null, null],
  [
    "tls://feed:se%40cret@nats.example.com:4222/",
    ["nats.example.com:4222"],
    true,
    "feed",
    "se@cret",
  ],
  ["nats://token@[::1]:4222", ["[::1]:4222"], false, null, "token"],
])("%s is an address", (text, servers, isEncrypted, user, password) => {
  expect(parseNatsUrl(text)).toEqual({ servers, isEncrypted, user, password });
});

test.each([
  "",
  "10.0.0.5:4222",
  "http://10.0.0.5:4222",
  "nats://",
  "nats://host/path",
  "nats://host?tls=1",
  "nats://one,tls://two",
  "nats://a:1@one,nats://b:2@two",
  "nats://one,,nats://two",
  "nats://a%ZZ:b@one",
])("%j is no address", (text) => {
  expect(parseNatsUrl(text)).toBeNull();
});
