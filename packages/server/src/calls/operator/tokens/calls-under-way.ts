import { isBulkCall, isRecord, LIST_FILE_TYPES, OPERATOR_FILES } from "@propgate/contract";
import type { FastifyRequest } from "fastify";
import type { Admitted } from "../../json/json-interface.ts";
import { type RefusedReply, refusedReply } from "../../json/json-reply.ts";
import type { TokenCaller } from "./admit-operator.ts";

const CALLS_MAX = 16;
const FILES_MAX = 2;

interface UnderWay {
  calls: number;
  files: number;
}

/**
 * Limits the calls, and the files among them, that each token has under way at this node.
 * @rule D12.callsUnderWay decides
 */
export function limitCallsUnderWay(): (
  caller: TokenCaller,
  request: FastifyRequest,
  route: string,
) => Admitted<TokenCaller> {
  const tokens = new Map<string, UnderWay>();
  return (caller, request, route) => {
    const now = tokens.get(caller.token) ?? { calls: 0, files: 0 };
    const files = answersFile(request, route) ? 1 : 0;
    if (now.calls >= CALLS_MAX) return TOO_MANY_CALLS;
    if (now.files + files > FILES_MAX) return TOO_MANY_FILES;
    tokens.set(caller.token, now);
    now.calls += 1;
    now.files += files;
    const whenOver = (): void => {
      now.calls -= 1;
      now.files -= files;
      if (now.calls === 0) tokens.delete(caller.token);
    };
    return { caller, whenOver };
  };
}

/**
 * Whether the call answers a file. The lines with which a bulk answers are no file: they report the outcome of each
 * row.
 */
function answersFile({ query }: FastifyRequest, route: string): boolean {
  if (Object.hasOwn(OPERATOR_FILES, route)) return !isBulkCall(route);
  if (!isRecord(query) || typeof query.format !== "string") return false;
  return Object.hasOwn(LIST_FILE_TYPES, query.format);
}

const TOO_MANY_CALLS = tooMany(`${CALLS_MAX} calls`);
const TOO_MANY_FILES = tooMany(`${FILES_MAX} files`);

function tooMany(maximum: string): RefusedReply {
  return {
    ...refusedReply(
      `This token has ${maximum} under way, which is the maximum; repeat this later`,
      429,
    ),
    headers: { "Retry-After": "1" },
  };
}
