import { describe, expect, test } from "vitest";
import { maskAddress, parseWebhookAddress } from "./webhook-address.ts";

const parse = (text: string, allowsPrivate = false) =>
  parseWebhookAddress(text, { ports: new Set([443, 8443]), allowsPrivate });

describe("the address of a webhook", () => {
  test.each([
    [
      "https://hooks.example.com/services/T0/B0?x=1",
      "https://hooks.example.com/services/T0/B0?x=1",
    ],
    ["HTTPS://Hooks.Example.com:443", "https://hooks.example.com/"],
    ["https://hooks.example.com:8443/a", "https://hooks.example.com:8443/a"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["https://93.184.216.34/a", "https://93.184.216.34/a"],
    ["https://[2606:4700:4700::1111]/a", "https://[2606:4700:4700::1111]/a"],
  ])("%s is accepted as %s", (text, href) => {
    const parsed = parse(text);
    expect(parsed.ok ? parsed.url.href : parsed.message).toBe(href);
  });

  const LONG = `https://a.example/${"é".repeat(400)}`;
  test.each([
    ["", "invalid", "must be a URL of at most 2048 characters"],
    ["a.example/hook", "invalid", "must be a URL"],
    ["https://", "invalid", "must be a URL"],
    ["https://a.example:65536/", "invalid", "must be a URL"],
    ["https://a.example/a b", "invalid", "must be a URL"],
    ["https://a.exa\nmple/", "invalid", "must be a URL"],
    ["https://a.example\\@b.example/", "invalid", "must be a URL"],
    [LONG, "invalid", "must be a URL of at most 2048 characters"],
    ["ftp://a.example/", "address_refused", "must use https"],
    ["http://a.example/", "address_refused", "must use https"],
    ["https://me@a.example/", "address_refused", "must not contain a user or a password"],
    ["https://:pw@a.example/", "address_refused", "must not contain a user or a password"],
    ["https://a.example/#", "address_refused", "must not have a fragment"],
    ["https://a.example/#a", "address_refused", "must not have a fragment"],
    ["https://a.example:80/", "address_refused", "must use one of the ports 443, 8443"],
    ["https://a.example:0/", "address_refused", "must not be a metadata service or a reserved"],
    ["https://10.0.0.1/", "address_refused", "must not be a private address"],
    ["https://localhost/", "address_refused", "must not be a private address"],
    ["https://a.localhost./", "address_refused", "must not be a private address"],
    ["https://169.254.169.254/", "address_refused", "must not be a metadata service or a reserved"],
    ["https://metadata.google.internal/", "address_refused", "must not be a metadata service"],
    ["https://Metadata.Goog./", "address_refused", "must not be a metadata service"],
  ])("%j is refused as %s", (text, code, message) => {
    expect(parse(text)).toEqual({ ok: false, code, message: expect.stringContaining(message) });
  });

  test.each([
    ["http://127.0.0.1:9000/a", true],
    ["http://[::1]:9000/a", true],
    ["http://localhost:22/", true],
    ["http://10.0.0.1/", true],
    ["https://receiver.internal:9000/", true],
    ["http://receiver.internal/", true],
    ["https://93.184.216.34/", true],
    ["http://93.184.216.34/", false],
    ["https://93.184.216.34:9000/", false],
    ["http://169.254.169.254/", false],
    ["http://100.64.0.1/", false],
    ["http://metadata.goog/", false],
    ["http://127.0.0.1:0/", false],
    ["http://me@127.0.0.1/", false],
    ["ws://127.0.0.1/", false],
  ])("%s is accepted where private addresses are allowed: %s", (text, isOk) => {
    expect(parse(text, true).ok).toBe(isOk);
  });

  test.each([
    ["https://hooks.slack.com/services/T000/B000/secretX9kQ", "https://hooks.slack.com/…X9kQ"],
    ["https://a.example:8443/hook?token=abcdef", "https://a.example:8443/…cdef"],
    ["http://[::1]:9000/in", "http://[::1]:9000/…in"],
    ["https://a.example", "https://a.example/"],
  ])("%s is shown as %s, because path and query may be a secret", (text, shown) => {
    expect(maskAddress(new URL(text))).toBe(shown);
  });
});
