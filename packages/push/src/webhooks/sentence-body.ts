import { wireJson } from "@propgate/base";
import type { Instruments } from "@propgate/core";
import type { StoredEndpoint } from "../storage/endpoint-store.ts";

/** An event or alert to deliver, with the sentence about it. */
export interface Sendable {
  readonly event: { readonly id: string };
  /** The same bytes at every attempt. */
  readonly body: string;
  readonly sentence: (instruments: Instruments) => string;
  /** The account, or the owner of an alert without one, as people outside know it; null without both. */
  readonly account: string | null;
}

/** Discord refuses a longer text. */
const DISCORD_MAX = 2_000;
const DISCORD = /(?:^|\.)(?:discord|discordapp)\.com$/;

/** The body of a delivery: the event, or a sentence about it in the form that the chat of that address takes. */
export function bodyFor(
  { payload, accountId }: Pick<StoredEndpoint, "payload" | "accountId">,
  url: string,
  { body, sentence, account }: Sendable,
  instruments: Instruments,
): string {
  if (payload === "event") return body;
  const isNamed = account !== null && accountId === null;
  const text = `${isNamed ? `${account}: ` : ""}${sentence(instruments)}`;
  const inert = withoutCommands(text);
  if (!DISCORD.test(new URL(url).hostname)) return wireJson({ text: escaped(inert) });
  return wireJson({ content: Array.from(inert).slice(0, DISCORD_MAX).join("") });
}

const INVISIBLE = "\u200b";

/** A trader chooses the label of a key: it must not call the firm's people in a chat, nor hide an address. */
function withoutCommands(text: string): string {
  return text.replaceAll("@", `@${INVISIBLE}`).replaceAll("](", `]${INVISIBLE}(`);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Slack takes `<!channel>` and `<https://example.com|text>` for commands, and shows these three as characters. */
function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}
