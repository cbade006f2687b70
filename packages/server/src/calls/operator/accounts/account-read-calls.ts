import {
  ACCOUNT_EQUITY_LIST,
  ADDITIVE_ENDPOINTS,
  ERRORS,
  errorText,
  type QueryParameters,
} from "@propgate/contract";
import type { UnixMs } from "@propgate/core";
import type { AccountSummary } from "@propgate/ledger";
import type { Rejection } from "@propgate/wire";
import { createRequestBody } from "../../../api/request-body.ts";
import type { AccountReadName, AccountReads } from "../../../api/routes/account-reads.ts";
import type { Answered } from "../../../api/routes/handler.ts";
import { inMemorySource } from "../../../storage/lists/in-memory-source.ts";
import { parseAccountId } from "../../json/json-fields.ts";
import {
  type JsonCall,
  type RefusedReply,
  refusedReply,
  type StreamReply,
  wrongFieldReply,
} from "../../json/json-reply.ts";
import { readAhead } from "../../json/read-ahead.ts";
import { rowFileReply } from "../../json/row-file.ts";
import { answerList } from "../lists/list-call.ts";
import { NO_ACCOUNT, type OperatorCallOptions, type OperatorHandler } from "../operator-reply.ts";
import type { OperatorServices } from "../operator-services.ts";
import { fileColumns, fileItems, firstPage, type ReadPage } from "./account-files.ts";

type Format = "json" | "ndjson" | "csv";

/**
 * Makes the handler of a call that gives the same answer as this read of the signed API: a page, or a file of the whole
 * history. @rule D12.accountReads decides
 */
export function createAccountReadHandler(read: AccountReadName) {
  return async (
    { services, clock }: OperatorCallOptions,
    call: JsonCall,
  ): Promise<StreamReply | RefusedReply> => {
    const account = await findCallAccount(services, call);
    if (account === null) return NO_ACCOUNT;
    const { format: named = "json", ...query } = call.query;
    const format = formatOf(named);
    if (format === null) {
      const problem = `must be one of json, ndjson, csv, not ${JSON.stringify(named)}`;
      return wrongFieldReply("format", problem);
    }
    const readPage: ReadPage = (given) =>
      services.reads.handlers[read](handlerInput(call, { account, given, nowMs: clock.now() }));
    if (format === "json") {
      const answer = await readPage(query);
      return answer.ok ? jsonReply(answer) : rejectedReply(answer.rejection);
    }
    const asOfMs = clock.now();
    const first = await readPage(firstPage(read, query));
    if (!first.ok) return rejectedReply(first.rejection);
    const file = rowFileReply(fileItems({ read, first, readPage, query }), {
      name: `${FILE_NAMES[read]}-${account.accountId}`,
      format,
      columns: fileColumns(read),
      asOfMs,
    });
    return { ...file, content: await readAhead(file.content) };
  };
}

/** Lists the equity of an account, from its opening to its end or to the present. */
export const listAccountEquity: OperatorHandler<"accounts.equity"> = async (options, call) => {
  const { services } = options;
  const account = await findCallAccount(services, call);
  if (account === null) return NO_ACCOUNT;
  const points = await services.reads.equityPoints(account);
  if (points === null) return rejectedReply({ error: "snapshotUnavailable" });
  const items = points.map(({ atMs, equity, balance }) => ({ atMs, equity, balance }));
  return answerList(options, call, "accounts.equity", inMemorySource(ACCOUNT_EQUITY_LIST, items));
};

const FILE_NAMES: Readonly<Record<AccountReadName, string>> = {
  getPositions: "positions",
  getOrders: "orders",
  getTrades: "trades",
  getPayouts: "payouts",
  getEvents: "events",
  getOrder: "order",
  getOrderHistory: "order-history",
  getFills: "fills",
};

function formatOf(text: string): Format | null {
  return text === "json" || text === "ndjson" || text === "csv" ? text : null;
}

/**
 * The account of the call's path, with any status: an account that has ended or is closed can still be read. Null when
 * it is unknown.
 */
export async function findCallAccount(
  { reads }: Pick<OperatorServices, "reads">,
  { parameters }: Pick<JsonCall, "parameters">,
): Promise<AccountSummary | null> {
  const id = parseAccountId(parameters.id);
  return id === null ? null : reads.find(id);
}

/** A read of the signed API ends when its key is revoked. The operator's read has no key, so it continues. */
const NO_KEY: HandlerInput["keyInUse"] = {
  isAllowed: async () => true,
  ending: async () => null,
  onEnded: () => () => undefined,
};

type HandlerInput = Parameters<AccountReads[AccountReadName]>[0];

/** The operator's call in the form in which the handlers of the signed API get a request. */
export function handlerInput(
  { parameters, untilOver }: JsonCall,
  about: {
    readonly account: AccountSummary;
    readonly given: Readonly<Record<string, string>>;
    readonly nowMs: UnixMs;
  },
): HandlerInput {
  const { account, given, nowMs } = about;
  const query: QueryParameters = new Map(
    Object.entries(given).map(([name, value]) => [name, [value]]),
  );
  return {
    accountId: account.accountId,
    account: { ...account, headHash: null },
    keyId: "",
    keyInUse: NO_KEY,
    nonce: "",
    admittedAtMs: nowMs,
    path: ADDITIVE_ENDPOINTS.getOrder.path.replace("{orderUuid}", () =>
      encodeURIComponent(parameters.orderUuid ?? ""),
    ),
    query,
    body: createRequestBody(Buffer.alloc(0)),
    typeProblem: () => null,
    trace: undefined,
    untilOver,
    isStopping: () => false,
    waitWithoutSlot: async (waiting) => {
      await waiting;
      return true;
    },
  };
}

/** Answers the bytes of the signed API's `data`, with `next` beside them when the read has pages. */
function jsonReply({ json, next }: Answered): StreamReply {
  const end = next === undefined ? "}" : `,"next":${JSON.stringify(next)}}`;
  return { status: 200, content: envelope(json, end), type: "application/json; charset=utf-8" };
}

async function* envelope(
  json: string | AsyncIterable<Uint8Array>,
  end: string,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"success":true,"data":');
  if (typeof json === "string") yield Buffer.from(json);
  else yield* json;
  yield Buffer.from(end);
}

const STATUSES = [400, 404, 409, 429] as const;

/** The operator's refusal for a rejection of the signed API. */
export function rejectedReply(rejection: Rejection): RefusedReply {
  const { error, text: message = "", networkName = "The account's network" } = rejection;
  const status = STATUSES.find((one) => one === ERRORS[error].status) ?? 503;
  const text = errorText(error, { message, networkName });
  if (error === "invalidLimit") return refusedReply(text, status, "limit");
  if (error === "invalidCursor") {
    return wrongFieldReply("cursor", "must be a nextCursor of this account's payouts", status);
  }
  // The texts of the signed API begin with the parameter in quotes: `'after' must be …`.
  const [, field, problem] = /^'(\w+)' (.*)$/s.exec(text) ?? [];
  return field === undefined || problem === undefined
    ? refusedReply(text, status)
    : wrongFieldReply(field, problem, status);
}
