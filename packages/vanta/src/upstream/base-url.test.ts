import { describe, expect, test } from "vitest";
import { CannotStart } from "../../../base/src/cannot-start.ts";
import { baseUrlOf } from "./base-url.ts";

describe("the address of an upstream", () => {
  test.each<readonly [string, object]>([
    [
      "https://validator.example",
      { isSecure: true, hostname: "validator.example", port: 443, host: "validator.example" },
    ],
    [
      "https://validator.example:48888/",
      { isSecure: true, port: 48_888, host: "validator.example:48888" },
    ],
    ["https://192.0.2.7:8088", { isSecure: true, hostname: "192.0.2.7", port: 8088 }],
    ["https://[2001:db8::7]:8088", { hostname: "2001:db8::7", host: "[2001:db8::7]:8088" }],
    ["http://127.0.0.1", { isSecure: false, hostname: "127.0.0.1", port: 80 }],
    ["http://127.8.9.1:8088", { isSecure: false, port: 8088 }],
    ["http://localhost:8088", { isSecure: false, hostname: "localhost", port: 8088 }],
    ["http://[::1]:8088", { isSecure: false, hostname: "::1", port: 8088 }],
  ])("%s is split into its parts", (url, parts) => {
    expect(baseUrlOf(url)).toMatchObject(parts);
  });

  test.each([
    "http://validator.example",
    "http://10.0.0.1:8088",
    "http://localhost.example",
    "http://127.0.0.1.example",
    "http://0.0.0.0:8088",
    "https://user:pass-word@validator.example",
    "https://pass-word@validator.example",
    "https://@validator.example",
    "https://validator.example/?key=pass-word",
    "https://validator.example/#pass-word",
    "https://validator.example/pass-word",
    String.raw`https:\\validator.example`,
    "https:validator.example",
    "ftp://validator.example",
    "file:///etc/pass-word",
    "javascript:alert(1)",
    "validator.example",
    "",
  ])("%s is rejected without being repeated", (url) => {
    const start = () => baseUrlOf(url);
    expect(start).toThrow(CannotStart);
    expect(start).toThrow("the network's address must be an https address");
    expect(start).not.toThrow(/pass-word|validator\.example/);
  });
});
