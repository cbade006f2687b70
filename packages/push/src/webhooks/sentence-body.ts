import { wireJson } from "@propgate/base";
import type { Instruments } from "@propgate/core";
import type { StoredEndpoint } from "../storage/endpoint-store.ts";

/** An event or alert to deliver, with the sentence about it. */
export interface Sendable {
  readonly event: { readonly id: string };
  /** The body for endpoints with the payload `event`; the same bytes at every attempt. */
  readonly body: string;
  readonly sentence: (instruments: Instruments) => string;
  /**
   * The account's external id, or its id when it has none. For an alert without an account, the alert's owner. Null
   * when there is neither.
   */
  readonly account: string | null;
}

/** The maximum number of characters of a message; Discord rejects a longer one. */
const DISCORD_MAX = 2_000;
const DISCORD = /(?:^|\.)(?:discord|discordapp)\.com$/;

/**
 * The body of a delivery, as JSON: the event, or a sentence about it in the form that the chat at this address accepts.
 */
export function deliveryBody(
  { payload, accountId }: Pick<StoredEndpoint, "payload" | "accountId">,
  url: string,
  { body, sentence, account }: Sendable,
  instruments: Instruments,
): string {
  if (payload === "event") return body;
  const isNamed = account !== null && accountId === null;
  const text = `${isNamed ? `${account}: ` : ""}${sentence(instruments)}`;
  const inert = breakMentions(text);
  if (!DISCORD.test(new URL(url).hostname)) return wireJson({ text: escapeForSlack(inert) });
  return wireJson({ content: Array.from(inert).slice(0, DISCORD_MAX).join("") });
}

const ZERO_WIDTH_SPACE = "\u200b";

/**
 * Breaks mentions and links with invisible characters. A trader chooses the label of a key, which must not notify the
 * firm's people in a chat or hide an address behind the text of a link.
 */
function breakMentions(text: string): string {
  return text.replaceAll("@", `@${ZERO_WIDTH_SPACE}`).replaceAll("](", `]${ZERO_WIDTH_SPACE}(`);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Escapes a text for Slack, which otherwise treats `<!channel>` and `<https://example.com|text>` as commands. */
function escapeForSlack(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}
