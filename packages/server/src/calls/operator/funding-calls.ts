import type { SetFundingRequest } from "@propgate/contract";
import { ratio, unixMs } from "@propgate/core";
import type { FundingRate, FundingRefusal } from "@propgate/ledger";
import { z } from "zod";
import { FUNDING_ROWS } from "../../storage/lists/settings-lists.ts";
import {
  type BodyFields,
  fieldErrorTexts,
  momentMsSchema,
  parseBody,
  problemReply,
  shortTextSchema,
} from "../json/json-fields.ts";
import { type AuditDetails, okReply, type RefusedReply, refusedReply } from "../json/json-reply.ts";
import { answerList } from "./lists/list-call.ts";
import type { OperatorHandler } from "./operator-reply.ts";

const PAIR_MAX = 30;
const RATE = "must be a number from -1 to 1";

const FUNDING = z.strictObject({
  pair: shortTextSchema(PAIR_MAX),
  atMs: momentMsSchema,
  rate: z.number(fieldErrorTexts(RATE)).gte(-1, RATE).lte(1, RATE),
  large: z.boolean(fieldErrorTexts("must be true or false")).default(false),
} satisfies BodyFields<SetFundingRequest>);

export const listFunding: OperatorHandler<"funding.list"> = (options, call) =>
  answerList(options, call, "funding.list", FUNDING_ROWS);

/** Sets the funding rate of a pair for an hour. @rule D11.funding */
export const setFunding: OperatorHandler<"funding.set"> = async (
  { services },
  { body, act },
  by,
) => {
  const given = parseBody(FUNDING, body, ({ pair, atMs, rate, large }) => ({
    hour: { pair: services.prices.pairOf(pair), atMs: unixMs(atMs) },
    rate: ratio(rate),
    isLarge: large,
  }));
  if (!given.ok) return problemReply(given);
  const { hour, isLarge } = given.value;
  const rate = { ...hour, rate: given.value.rate, source: by.name };
  const detail = `${rate.rate} at ${new Date(rate.atMs).toISOString()}`;
  const about = { subject: rate.pair, detail };
  const refusal = await services.funding.set(rate, { isLarge });
  const isSet = act?.isRepeat === true && (await services.funding.list()).some(isSameRate(rate));
  return refusal === null || isSet ? okReply(rate, about) : refusedRate(refusal, about);
};

function isSameRate(one: FundingRate): (other: FundingRate) => boolean {
  return ({ pair, atMs, rate, source }) =>
    pair === one.pair && atMs === one.atMs && rate === one.rate && source === one.source;
}

const HOUR = z.object({
  atMs: z
    .string(fieldErrorTexts("must be whole milliseconds"))
    .regex(/^\d{1,15}$/, "must be whole milliseconds")
    .transform(Number)
    .pipe(momentMsSchema),
});

/** Withdraws the rate that an operator has set for an hour. @rule D13.fundingBounds */
export const withdrawFunding: OperatorHandler<"funding.withdraw"> = async (
  { services },
  { parameters, query, act },
) => {
  const pair = services.prices.pairOf(parameters.id ?? "");
  const given = parseBody(HOUR, query, ({ atMs }) => unixMs(atMs));
  if (!given.ok) return problemReply(given);
  const atMs = given.value;
  const about = { subject: pair.slice(0, PAIR_MAX), detail: `at ${new Date(atMs).toISOString()}` };
  const withdrawn = await services.funding.withdraw({ pair, atMs }, act);
  return "refused" in withdrawn ? refusedRate(withdrawn, about) : okReply(withdrawn, about);
};

const STATUSES = { invalid: 400, missing: 404, conflict: 409 } as const;

function refusedRate(
  { refused: why, text, field }: FundingRefusal,
  about: AuditDetails,
): RefusedReply {
  return { ...refusedReply(text, STATUSES[why], field), about };
}
