import { expect, test } from "vitest";
import { deliveryBody } from "./sentence-body.ts";

const SENDABLE = {
  event: { id: "evt_1" },
  body: '{"type":"account.opened"}',
  sentence: () => "Account opened.",
  account: "shop-7",
};
const of = (accountId: string | null) => ({ payload: "sentence", accountId }) as const;
const bodyAt = (url: string, from = SENDABLE): unknown =>
  JSON.parse(deliveryBody(of(null) as never, url, from, new Map()));

test("a webhook with events sends the event itself", () => {
  const endpoint = { payload: "event", accountId: null } as const;
  expect(deliveryBody(endpoint, "https://discord.com/x", SENDABLE, new Map())).toBe(SENDABLE.body);
});

test.each([
  "https://discord.com/api/webhooks/1/x",
  "https://discordapp.com/api/webhooks/1/x",
  "https://canary.discord.com/api/webhooks/1/x",
])("a sentence for %s has Discord's form", (url) => {
  expect(bodyAt(url)).toEqual({ content: "shop-7: Account opened." });
});

test.each([
  "https://hooks.slack.com/services/T/B/x",
  "https://chat.example.com/hooks/x",
  "https://discord.com.example.org/x",
  "https://notdiscord.com/x",
])("a sentence for %s has the form of Slack and Mattermost", (url) => {
  expect(bodyAt(url)).toEqual({ text: "shop-7: Account opened." });
});

test("a sentence for Discord is cut at 2,000 characters and never within one", () => {
  const long = { ...SENDABLE, sentence: () => "\u{1F4C8}".repeat(3_000) };
  const { content } = bodyAt("https://discord.com/x", long) as { readonly content: string };
  expect(Array.from(content)).toHaveLength(2_000);
  expect(content.isWellFormed()).toBe(true);
});

test.each([
  ["https://hooks.slack.com/x", "text"],
  ["https://discord.com/x", "content"],
])("a text of a trader is no mention and no link in the chat of %s", (url, field) => {
  const sentence = () =>
    'The key "<!channel> @everyone <https://e.test|pay> [a](https://e.test) &" ended.';
  const body = bodyAt(url, { ...SENDABLE, sentence }) as Readonly<Record<string, string>>;
  expect(body[field]).not.toMatch(/@[a-z]|\]\(/);
  if (field === "text") expect(body.text?.replace(/&(?:lt|gt|amp);/g, "")).not.toMatch(/[<>&]/);
});

test("a sentence about the only account of a webhook, and a test, do not name an account", () => {
  const [url, instruments] = ["https://chat.example.com/x", new Map()];
  const one = { payload: "sentence", accountId: "a" } as never;
  expect(JSON.parse(deliveryBody(one, url, SENDABLE, instruments))).toEqual({
    text: "Account opened.",
  });
  const test = { ...SENDABLE, account: null };
  expect(bodyAt(url, test as never)).toEqual({ text: "Account opened." });
});
