import { createHash, timingSafeEqual } from "node:crypto";
import { type OperatorTokens, ROOT_TOKEN_NAME } from "@propgate/access";
import { OPERATOR_TOKEN_PREFIX, secretForm } from "@propgate/contract";
import type { FastifyRequest } from "fastify";
import { clientAddress } from "../../../api/edge/client-address.ts";
import type { Admitted } from "../../json/json-interface.ts";
import type { RefusedReply } from "../../json/json-reply.ts";
import type { WrongTokens } from "./wrong-tokens.ts";

/**
 * The token of a call, by its name. Tokens with the same `keySpace` share their idempotency keys, so that a successor
 * may repeat the writes of the token that it replaces.
 */
export interface TokenCaller {
  readonly token: string;
  readonly keySpace: string;
}

const ROOT: TokenCaller = { token: ROOT_TOKEN_NAME, keySpace: ROOT_TOKEN_NAME };

const REFUSED: RefusedReply = {
  status: 401,
  error: "Operator token missing or wrong",
  headers: { "WWW-Authenticate": "Bearer" },
};

const BEARER = "Bearer ";

/**
 * Admits callers with the root token or an active named token. After too many wrong tokens from one network (an IPv4
 * address or the /64 of an IPv6 address), calls from it are rejected for the rest of a minute without a check of their
 * token. A token in the form of generated ones is still checked: its 256 random bits cannot be guessed, so an operator
 * who shares an address with an attacker is not locked out. A root token that an operator chose has to wait.
 */
export function admitOperator(options: {
  readonly rootToken: string;
  readonly tokens: Pick<OperatorTokens, "find">;
  readonly wrong: WrongTokens;
}): (request: FastifyRequest) => Promise<Admitted<TokenCaller>> {
  const { tokens, wrong } = options;
  const root = digest(options.rootToken);
  return async (request) => {
    const address = clientAddress(request);
    const { authorization = "" } = request.headers;
    const text = authorization.startsWith(BEARER) ? authorization.slice(BEARER.length) : "";
    const waitMs = wrong.waitMs(address);
    if (waitMs === null || secretForm(text, OPERATOR_TOKEN_PREFIX) === "right") {
      if (timingSafeEqual(digest(text), root)) return { caller: ROOT };
      const found = await tokens.find(text, address);
      if (found !== null) return { caller: { token: found.name, keySpace: found.keySpace } };
    }
    // A call without a token is not a guess, so it does not count.
    if (text !== "") wrong.count(address);
    const reply = waitMs === null ? REFUSED : waitReply(waitMs);
    wrong.logRejection({ address, status: reply.status });
    return reply;
  };
}

function waitReply(waitMs: number): RefusedReply {
  return {
    status: 429,
    error: "Too many wrong operator tokens from this address; try again later",
    headers: { "Retry-After": String(Math.ceil(waitMs / 1_000)) },
  };
}

/** Digests have equal lengths and are compared in constant time, so the comparison reveals no part of the token. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
