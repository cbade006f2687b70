import type { SetFundingRequest } from "@propgate/contract";
import { pairId, ratio, unixMs } from "@propgate/core";
import { z } from "zod";
import { type Fields, momentMs, must, parseBody, shortText } from "../json/json-fields.ts";
import { fine, refused } from "../json/json-reply.ts";
import { type Handle, wrong } from "./operator-reply.ts";

const RATE = "must be a number from -1 to 1";

const FUNDING = z.strictObject({
  pair: shortText(30),
  atMs: momentMs,
  rate: z.number(must(RATE)).gte(-1, RATE).lte(1, RATE),
} satisfies Fields<SetFundingRequest>);

/** Lists the newest funding rates, newest hour first. */
export const listFunding: Handle<"funding.list"> = async ({ services }) =>
  fine({ items: await services.funding.list() });

/** Sets the rate of an hour. @rule D11.funding */
export const setFunding: Handle<"funding.set"> = async ({ services }, { body }, by) => {
  const given = parseBody(FUNDING, body, ({ pair, atMs, rate }) => ({
    pair: pairId(pair.toUpperCase()),
    atMs: unixMs(atMs),
    rate: ratio(rate),
  }));
  if (!given.ok) return wrong(given);
  const rate = { ...given.value, source: by.name };
  const detail = `${rate.rate} at ${new Date(rate.atMs).toISOString()}`;
  const about = { subject: rate.pair, detail };
  const problem = await services.funding.set(rate);
  return problem === null ? fine(rate, about) : { ...refused(problem, 400), about };
};
