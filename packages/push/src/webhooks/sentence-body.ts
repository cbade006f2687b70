import { wireJson } from "@propgate/base";
import type { Instruments } from "@propgate/core";
import type { StoredEndpoint } from "@propgate/ledger";

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
  if (!DISCORD.test(new URL(url).hostname)) return wireJson({ text });
  return wireJson({ content: Array.from(text).slice(0, DISCORD_MAX).join("") });
}
