import { type NewOperatorToken, OPERATOR_TOKENS_MAX, ROOT_TOKEN_NAME } from "@propgate/access";
import type { AddTokenRequest } from "@propgate/contract";
import { z } from "zod";
import { TOKEN_ROWS } from "../../../storage/lists/settings-lists.ts";
import {
  type BodyFields,
  fieldErrorTexts,
  type Parsed,
  parseBody,
  problemReply,
} from "../../json/json-fields.ts";
import { okReply, refusedReply, wrongFieldReply } from "../../json/json-reply.ts";
import { answerList } from "../lists/list-call.ts";
import type { OperatorHandler } from "../operator-reply.ts";
import { parseEmptyBody } from "../operator-requests.ts";

const MS_PER_HOUR = 3_600_000;
/** The longest life of a named token: 366 days, in hours. */
const LIFE_HOURS_MAX = 8_784;
const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;
const NAME_FORM =
  "must be 1 to 40 lower-case letters, digits, dots, hyphens or underscores, the first a letter or digit";
const HOURS = `must be whole hours from 1 to ${LIFE_HOURS_MAX}`;

const NEW_TOKEN = z.strictObject({
  name: z
    .string(fieldErrorTexts("must be a string"))
    .regex(NAME, NAME_FORM)
    .refine(
      (name) => name !== ROOT_TOKEN_NAME,
      "must not be root, the name of the token in the file",
    ),
  expiresInHours: z.int(fieldErrorTexts(HOURS)).min(1, HOURS).max(LIFE_HOURS_MAX, HOURS),
  succeeds: z.string(fieldErrorTexts("must be a string")).regex(NAME, NAME_FORM).optional(),
} satisfies BodyFields<AddTokenRequest>);

function parseNewToken(body: unknown): Parsed<Omit<NewOperatorToken, "createdBy">> {
  return parseBody(NEW_TOKEN, body, ({ name, expiresInHours, succeeds }) => ({
    name,
    lifeMs: expiresInHours * MS_PER_HOUR,
    succeeds: succeeds ?? null,
  }));
}

/** Lists the tokens with their last use, but never their secrets. */
export const listTokens: OperatorHandler<"tokens.list"> = (options, call) =>
  answerList(options, call, "tokens.list", TOKEN_ROWS);

/** Adds a named token. The answer to this call is the only one that has the token itself. */
export const addToken: OperatorHandler<"tokens.add"> = async ({ services }, { body, act }, by) => {
  const request = parseNewToken(body);
  if (!request.ok) return problemReply(request);
  const { name, lifeMs } = request.value;
  const result = await services.tokens.add({ ...request.value, createdBy: by.name }, act);
  if (result === "unknown") return wrongFieldReply("succeeds", "no token has or had that name");
  if (result === "taken") {
    const problem = "a token has or had that name, and the audit must stay unambiguous";
    return wrongFieldReply("name", problem, 409);
  }
  if (result === "full") {
    return refusedReply(
      `There are ${OPERATOR_TOKENS_MAX} active tokens, which is the maximum; revoke one`,
    );
  }
  const { added, secret } = result;
  const hours = Math.round(lifeMs / MS_PER_HOUR);
  return okReply({ ...added, token: secret }, { subject: name, detail: `for ${hours} hours` });
};

/** Revokes a named token. Other nodes reject it within a second. */
export const revokeToken: OperatorHandler<"tokens.revoke"> = async (
  { services },
  { parameters, body, act },
) => {
  const nothing = parseEmptyBody(body);
  if (!nothing.ok) return problemReply(nothing);
  const name = parameters.id ?? "";
  const about = { subject: name.slice(0, 100) };
  // The database gets only possible names. No token has another name, and some texts, such as NUL, cannot be sent.
  if (NAME.test(name)) {
    if (await services.tokens.revoke(name)) return okReply({ name }, about);
    if (act?.isRepeat === true && (await services.tokens.isRevoked(name)))
      return okReply({ name }, about);
  }
  return { ...refusedReply("Token not found, or revoked before", 404), about };
};
