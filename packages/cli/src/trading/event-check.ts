import type { Linked } from "@propgate/contract";
import { type AccountEvent, type Chain, createChain, HistoryDiffersError } from "@propgate/sdk";
import type { provedEvent } from "@propgate/server";

/** The events that were read so far without a problem. */
export interface CheckedEvents {
  readonly accountId: string;
  /** The number of events whose hash was checked against the previous event. */
  readonly checked: number;
  /**
   * The sequence of the first event. Unless it is 1, its own hash was not checked, because the event before it is not
   * known.
   */
  readonly from: number;
  /** The cursor of the last event. */
  readonly to: string;
}

/** Checks events with their proofs, in the JSON of the service. @rule D9.proof */
export interface EventCheck {
  /** The events so far; null before the first one. */
  readonly events: CheckedEvents | null;
  /**
   * Reads one event as JSON. Returns null when it follows the previous event and all its fields follow from its journal
   * line, otherwise the problem.
   */
  read(json: string): Promise<string | null>;
}

/** Creates the check. `prove` is the server's function, which a command loads only when it is needed. */
export function createEventCheck(prove: typeof provedEvent): EventCheck {
  let chain: Chain | null = null;
  let events: CheckedEvents | null = null;
  return {
    get events() {
      return events;
    },
    async read(json) {
      const proof = proofOf(json);
      if (proof === null) return "it is no event with its line and hash";
      const proved = prove(proof);
      if (proved === null || proved.json !== json) {
        return "it is not the event of its line";
      }
      const { accountId, event } = proved;
      const { sequence, cursor } = event;
      const isFollowing = events !== null || sequence === 1;
      chain ??= sequence === 1 ? createChain(0, null) : createChain(sequence, proof.hash);
      const problem = isFollowing ? await problemOf(chain, event) : null;
      if (problem !== null) return problem;
      const { checked, from } = events ?? { checked: 0, from: sequence };
      events = { accountId, checked: checked + (isFollowing ? 1 : 0), from, to: cursor };
      return null;
    },
  };
}

async function problemOf(chain: Chain, event: AccountEvent<Linked>): Promise<string | null> {
  try {
    await chain.add(event);
    return null;
  } catch (error) {
    if (error instanceof HistoryDiffersError) return error.message;
    throw error;
  }
}

/** The proof of an event; null for a text that is not an event with a proof. */
function proofOf(json: string): NonNullable<AccountEvent["proof"]> | null {
  try {
    const { proof } = JSON.parse(json) as { readonly proof?: Record<string, unknown> };
    const { line, hash } = proof ?? {};
    return typeof line === "string" && typeof hash === "string" ? { line, hash } : null;
  } catch {
    return null;
  }
}
