import type { IncomingMessage } from "node:http";
import { IDEMPOTENCY_HEADER, type RepeatedAnswer } from "@propgate/contract";
import type { FastifyRequest } from "fastify";
import type { RunCall } from "../../json/json-interface.ts";
import {
  type JsonCall,
  type JsonReply,
  type RefusedReply,
  wrongFieldReply,
} from "../../json/json-reply.ts";

import { isDryRun } from "../bulk/bulk-call.ts";
import { bodyHash, type RepeatedWrites } from "./repeated-writes.ts";

/** A call that was received, with its request. */
export interface CallWithRequest {
  readonly request: FastifyRequest;
  readonly call: Pick<JsonCall, "parameters" | "query">;
  readonly repeats: RepeatedAnswer;
}

/**
 * Carries out a call. A write that its client sent with an idempotency key is carried out once. `caller` names the
 * token or the person to whom the idempotency key belongs.
 */
export async function carryOutKeyed(
  writes: RepeatedWrites,
  { request, call, repeats }: CallWithRequest,
  { caller, run }: { readonly caller: string; readonly run: RunCall },
): Promise<JsonReply> {
  const key = keyOf(request);
  if (typeof key === "object") return key ?? run(null);
  if (repeats === "nothing") return run(null);
  const { method, url, body } = request;
  const id = call.parameters.id ?? null;
  const write = { caller, key, row: 0, id, method, target: url };
  if (typeof repeats === "object" && "rows" in repeats) {
    if (isDryRun(call)) return run(null);
    return writes.carryOutRows({ ...write, answer: repeats.rows }, (keys) => run(null, keys));
  }
  return writes.carryOut({ ...write, answer: repeats, bodyHash: bodyHash(body) }, run);
}

const KEY = /^[\x20-\x7e]{1,255}$/;

const NO_KEY: RefusedReply = wrongFieldReply(
  IDEMPOTENCY_HEADER,
  "must be one header of 1 to 255 printable ASCII characters",
);

/** Every value of a header, in the order in which they were sent. `name` is in lower case. */
function headersOf({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

/** The idempotency key of a write, or the refusal of a key with a wrong form; null when there is none. */
function keyOf({ raw, method }: FastifyRequest): string | RefusedReply | null {
  if (method === "GET") return null;
  const [key, another] = headersOf(raw, IDEMPOTENCY_HEADER.toLowerCase());
  if (key === undefined) return null;
  return another === undefined && KEY.test(key) ? key : NO_KEY;
}
