import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { systemClock, systemStopwatch } from "../../../base/src/clock.ts";
import type { ListenAddress } from "../../../base/src/listen-address.ts";
import { listenerPort } from "../../../base/src/listener-port.ts";
import { systemChance } from "../../../base/src/random.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import { rawAnswer, startRawServer } from "../../../server/src/testing/raw-server.ts";
import type { LookUpName } from "./checked-lookup.ts";
import { generateWebhookSecret } from "./sign-webhook.ts";
import { parseWebhookAddress } from "./webhook-address.ts";
import { createWebhookSender } from "./webhook-sender.ts";

/**
 * Addresses that no webhook may call unless private ones are allowed. Those from `NEVER_FROM` on may not be called even
 * then.
 */
const IPV4 = [
  ...["127.0.0.1", "127.8.9.10", "10.0.0.1", "172.16.0.1", "172.31.255.254", "192.168.1.1"],
  ...["169.254.169.254", "169.254.0.1", "100.100.100.200", "168.63.129.16", "100.64.0.1"],
  ...["0.0.0.0", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1"],
  ...["224.0.0.1", "240.0.0.1", "255.255.255.255", "192.88.99.1"],
] as const;
const NEVER_FROM = IPV4.indexOf("169.254.169.254");

const IPV6 = [
  ...["::1", "::", "fc00::1", "fd12:3456::1", "fd00:ec2::254", "fd20:ce::254", "fe80::1"],
  ...["fec0::1", "ff02::1", "2001:db8::1", "100::1", "1::1", "4000::1", "64:ff9b:1::a00:1"],
] as const;

const bytesOf = (address: string): readonly number[] => address.split(".").map(Number);
const hex = (byte: number): string => byte.toString(16).padStart(2, "0");
const replaced = (text: string, from: string, to: string): string =>
  text.replace(/./g, (letter) =>
    from.includes(letter) ? to.charAt(from.indexOf(letter)) : letter,
  );

/** Spellings of an IPv4 address that a URL turns into the same address. */
function spellings(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf(address);
  const last3 = (b << 16) | (c << 8) | d;
  const whole = a * 0x1000000 + last3;
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${whole.toString(16)}`,
    `0${whole.toString(8)}`,
    [a, b, c, d].map((byte) => `0x${hex(byte)}`).join("."),
    [a, b, c, d].map((byte) => `0${byte.toString(8)}`).join("."),
    `${a}.${last3}`,
    `${a}.0x${hex(b)}.${(c << 8) | d}`,
    replaced(address, "0123456789.", "０１２３４５６７８９。"),
    replaced(address, "123456789", "①②③④⑤⑥⑦⑧⑨"),
    address.replace(/\d/g, (digit) => `%3${digit}`),
    address.replace(".", "%2e"),
    address.replace(".", ".\u00ad"),
  ];
}

/** IPv6 addresses that contain this IPv4 address. */
function wrappings(address: string): readonly string[] {
  const bytes = bytesOf(address);
  const groups = (all: readonly number[]): string =>
    `${all.slice(0, 2).map(hex).join("")}:${all.slice(2).map(hex).join("")}`;
  const inner = groups(bytes);
  return [
    `::ffff:${address}`,
    `0:0:0:0:0:FFFF:${inner}`,
    `::${address}`,
    `::ffff:0:${inner}`,
    `64:ff9b::${address}`,
    `64:ff9b:1::${inner}`,
    `2002:${inner}::1`,
    `2001:0:${inner}::a247:27dd`,
    `2001:0:5db8:d822::${groups(bytes.map((byte) => byte ^ 0xff))}`,
  ];
}

const LITERALS = [
  ...IPV4.flatMap(spellings),
  ...[...IPV6, ...IPV4.flatMap(wrappings)].map((address) => `[${address}]`),
];

/** Addresses that must not reach the counting server. `@` is replaced by its host and port. */
const TRICKS = [
  ...["http://@/", "ftp://@/", "ws://@/", "gopher://@/", "file:///etc/passwd", "javascript:1"],
  ...["https://example.com\\@@/", "https://example.com:443@@/", "https://user:pw@@/"],
  ...["https:@/", "https:\\\\@/", "https:///@/", " https://@/", "https://@/\t", "https:/\n/@/"],
  ...["https://@/#", "https://@/#@example.com/", "https://example.com@@/x"],
  ...["https://[::1%25lo]/", "https://[::1]:0/", "https://127.0.0.1:65536/", "https://@:1/"],
  ...["https://example.com:22/", "https://example.com:80/", "https://example.com:6379/"],
  ...[
    "https://localhost/",
    "https://LOCALHOST./",
    "https://a.localhost/",
    "https://ｌｏｃａｌhost/",
  ],
  ...["https://metadata.google.internal/", "https://METADATA.google.internal./"],
  ...["https://metadata.goog/", "https://metadata.goog./", "https://ｍetadata.goog/"],
];

/** Starts a server that counts connections, at every address of the machine. */
async function startCounting() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0);
  await once(server, "listening");
  return { port: listenerPort(server.address()), connections: () => connections, server };
}

/** Opens a sender for which the port of the counting server is a public one. Its deliveries never time out. */
function open(given: {
  readonly port: number;
  readonly lookUpName?: LookUpName;
  readonly allowsPrivate?: boolean;
  readonly ownListeners?: readonly ListenAddress[];
}) {
  const { port, lookUpName = finds(["127.0.0.1"]), allowsPrivate = false } = given;
  const rules = { ports: new Set([443, port]), allowsPrivate };
  const sender = createWebhookSender({
    rules,
    clock: systemClock,
    stopwatch: systemStopwatch,
    timer: createManualTime(0).timer,
    ownListeners: () => given.ownListeners ?? [],
    lookUpName,
  });
  onTestFinished(() => sender.close());
  const signers = { secrets: [generateWebhookSecret(systemChance)], sign: null };
  return {
    rules,
    send: async (url: string) => {
      const { status, error } = await sender.send({ url, id: "evt_1", body: "{}", ...signers });
      return error ?? status;
    },
  };
}

/** A lookup that finds the first list at its first call, the second at the second, and so on. The last list repeats. */
function finds(...lists: readonly (readonly string[])[]): LookUpName & { calls(): number } {
  let calls = 0;
  const lookUp: LookUpName = (_name, _options, callback) => {
    const found = lists[Math.min(calls, lists.length - 1)] ?? [];
    calls += 1;
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  return Object.assign(lookUp, { calls: () => calls });
}

describe("no hostile address is called", () => {
  const counting = { port: 0, connections: () => 0 };
  beforeAll(async () => {
    const started = await startCounting();
    Object.assign(counting, started);
    return () => void started.server.close();
  });
  afterAll(() => expect(counting.connections()).toBe(0));

  test("the list has hundreds of addresses", () => {
    expect(new Set(LITERALS).size).toBeGreaterThan(400);
  });

  test("no hostile address is called as a literal, in any spelling", async () => {
    const { rules, send } = open(counting);
    for (const literal of LITERALS) {
      const url = `https://${literal}:${counting.port}/hook`;
      expect([literal, parseWebhookAddress(url, rules).ok]).toEqual([literal, false]);
      expect([literal, await send(url)]).toEqual([literal, "address"]);
    }
  });

  test("no hostile address is called as an address of a name, alone or beside a public one", async () => {
    const url = `https://a.example:${counting.port}/hook`;
    for (const address of [...IPV4, ...IPV6, ...IPV4.flatMap(wrappings)]) {
      for (const found of [
        [address],
        ["93.184.216.34", address],
        [address, "2606:4700:4700::1111"],
      ]) {
        const { send } = open({ ...counting, lookUpName: finds(found) });
        expect([found, await send(url)]).toEqual([found, "address"]);
      }
    }
  });

  test.each(TRICKS)("no hostile address is called as %j", async (trick) => {
    const { rules, send } = open(counting);
    const url = trick.replace(/@(?=[/:]|$)/, `127.0.0.1:${counting.port}`);
    expect(parseWebhookAddress(url, rules).ok).toBe(false);
    expect(await send(url)).toBe("address");
  });

  test("an address that is never allowed is not called where private addresses are allowed", async () => {
    const never = [...IPV4.slice(NEVER_FROM), "::", "fd00:ec2::254", "fe80::1", "ff02::1"];
    for (const address of [...never, ...IPV4.slice(NEVER_FROM).flatMap(wrappings)]) {
      const lookUpName = finds(["127.0.0.1", address]);
      const { send } = open({ ...counting, lookUpName, allowsPrivate: true });
      const literal = address.includes(":") ? `[${address}]` : address;
      for (const host of [literal, "a.example"]) {
        for (const scheme of ["http", "https"]) {
          const url = `${scheme}://${host}:${counting.port}/hook`;
          expect([url, await send(url)]).toEqual([url, "address"]);
        }
      }
    }
  });

  test.each([
    ["127.0.0.1", "127.0.0.1"],
    ["0.0.0.0", "127.0.0.1"],
    ["::", "127.0.0.1"],
    ["::", "[::1]"],
    ["::", "[::ffff:127.0.0.1]"],
    ["::", "a.example"],
    ["::", "localhost"],
  ])("a listener of the process at %s is not called under the host %s", async (host, called) => {
    const ownListeners = [{ host, port: counting.port }];
    const { send } = open({ ...counting, allowsPrivate: true, ownListeners });
    expect(await send(`http://${called}:${counting.port}/hook`)).toBe("address");
  });

  test("no hostile address is called by a redirect", async () => {
    const location = `Location: http://127.0.0.1:${counting.port}/`;
    for (const status of ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"]) {
      const receiver = await startRawServer((socket) =>
        socket.write(rawAnswer("", { status, headers: [location] })),
      );
      const { send } = open({ ...counting, allowsPrivate: true });
      expect(await send(`${receiver.url}/hook`)).toBe(Number(status.slice(0, 3)));
    }
  });

  test("no hostile address is called by a name that changes after it was judged", async () => {
    const lookUpName = finds(["169.254.169.254"], ["127.0.0.1"]);
    const { send } = open({ ...counting, lookUpName, allowsPrivate: true });
    expect(await send(`http://a.example:${counting.port}/hook`)).toBe("address");
    expect(lookUpName.calls()).toBe(1);
  });
});

test("the counting server counts a connection that is allowed", async () => {
  const { port, connections, server } = await startCounting();
  onTestFinished(() => void server.close());
  const { send } = open({ port, allowsPrivate: true });
  expect(await send(`http://a.example:${port}/hook`)).toBe("reset");
  expect(connections()).toBe(1);
});

describe("a name that changes its address", () => {
  test("a name that changes its address is called at the address that was judged, and judged again for the next connection", async () => {
    const receiver = await startRawServer((socket) => {
      socket.end(rawAnswer("", { headers: ["Connection: close"] }));
    });
    const { port } = new URL(receiver.url);
    const lookUpName = finds(["127.0.0.1"], ["169.254.169.254"]);
    const { send } = open({ port: Number(port), lookUpName, allowsPrivate: true });
    expect(await send(`http://a.example:${port}/hook`)).toBe(200);
    expect(lookUpName.calls()).toBe(1);
    expect(await send(`http://a.example:${port}/hook`)).toBe("address");
    expect(lookUpName.calls()).toBe(2);
    expect(receiver.connections()).toBe(1);
  });
});
