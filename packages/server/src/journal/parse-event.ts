/**
 * Events as the network of today understands them. The journal is never rewritten: its text is what
 * the chain covers. What an earlier release wrote in another form is put into today's form here,
 * when it is read, and nowhere else.
 */
import type { AccountOpened, Event, Leverage, Terms } from "@propgate/core";

/** The kinds of exposure groups that one cap once bound alike. */
const GROUP_KINDS = ["currency", "sector", "index"] as const;

/** Of state format 1: one cap for groups of every kind; null: none of them binds. */
interface FormerTerms extends Omit<Terms, "groupCaps"> {
  readonly groupCap: Leverage | null;
}

/** What the column may hold: the executor alone writes it, and the chain proves that it is so. */
type StoredEvent = Event | (Omit<AccountOpened, "terms"> & { readonly terms: FormerTerms });

export function parseEvent(text: string): Event {
  const event = JSON.parse(text) as StoredEvent;
  if (event.type !== "accountOpened") return event;
  const { terms } = event;
  if (!("groupCap" in terms)) return { ...event, terms };
  const { groupCap, ...rest } = terms;
  return { ...event, terms: { ...rest, groupCaps: groupCapsOf(groupCap) } };
}

function groupCapsOf(cap: Leverage | null): Terms["groupCaps"] {
  return cap === null ? {} : Object.fromEntries(GROUP_KINDS.map((kind) => [kind, cap]));
}
