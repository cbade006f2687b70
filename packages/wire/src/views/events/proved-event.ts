import { wireJson } from "@propgate/base";
import type { AccountEvent, Linked } from "@propgate/contract";
import { accountId } from "@propgate/core";
import { eventView } from "./event-view.ts";

/** An event, made from its journal line alone. */
export interface ProvedEvent {
  readonly accountId: string;
  /** The event with its proof. */
  readonly event: AccountEvent<Linked>;
  /** The JSON of the event, as the service sends it. */
  readonly json: string;
}

type Columns = readonly [
  accountId: string,
  seq: number,
  atMs: number,
  origin: string,
  keyId: string | null,
  nonce: string | null,
  command: string,
  inputs?: string,
];

/**
 * The event that the line of a `proof` describes, or null for a string that is not a journal line. The hash is not
 * checked. @rule D9.proof
 */
export function provedEvent({
  line,
  hash,
}: {
  readonly line: string;
  readonly hash: string;
}): ProvedEvent | null {
  const end = line.indexOf("\n");
  try {
    const columns = JSON.parse(line.slice(0, end)) as Columns;
    const [id, seq, atMs, origin, keyId, nonce, command, inputs = null] = columns;
    const row = { accountId: accountId(id), seq, atMs, origin, keyId, nonce, command, inputs };
    const bytes = Buffer.from(hash, "hex");
    const event = eventView({ ...row, event: line.slice(end + 1), hash: bytes }, true);
    return { accountId: id, event, json: wireJson(event) };
  } catch {
    // Every line of a journal can be read, so this one was altered.
    return null;
  }
}
