import {
  type ChangePasswordRequest,
  type LinkRequest,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  type SignInRequest,
  type UseLinkRequest,
} from "@propgate/contract";
import { z } from "zod";
import { must, type Parsed, parseBody, shortText } from "../json/parse-body.ts";

/** Characters as a person counts them, not the halves that some are made of. */
const lengthOf = (text: string): number => [...text].length;

const anyPassword = z
  .string(must("must be a text"))
  .refine((text) => lengthOf(text) <= PASSWORD_LENGTH_MAX, {
    error: `must have at most ${PASSWORD_LENGTH_MAX} characters`,
  });
const newPassword = anyPassword.refine((text) => lengthOf(text) >= PASSWORD_LENGTH_MIN, {
  error: `must have at least ${PASSWORD_LENGTH_MIN} characters`,
});
const token = z.string(must("must be a text")).max(100, "must have at most 100 characters");

const SIGN_IN = z.strictObject({ name: shortText(64), password: anyPassword });
const LINK = z.strictObject({ token });
const USE_LINK = z.strictObject({ token, password: newPassword });
const CHANGE_PASSWORD = z.strictObject({ current: anyPassword, next: newPassword });
const NOTHING = z.strictObject({});

export const parseSignIn = (body: unknown): Parsed<SignInRequest> =>
  parseBody(SIGN_IN, body, (given) => given);

export const parseLink = (body: unknown): Parsed<LinkRequest> =>
  parseBody(LINK, body, (given) => given);

export const parseUseLink = (body: unknown): Parsed<UseLinkRequest> =>
  parseBody(USE_LINK, body, (given) => given);

export const parseChangePassword = (body: unknown): Parsed<ChangePasswordRequest> =>
  parseBody(CHANGE_PASSWORD, body, (given) => given);

export const parseNothing = (body: unknown): Parsed<null> => parseBody(NOTHING, body, () => null);
