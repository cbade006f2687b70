import type { AssertionReply, AttestationReply } from "@propgate/access";
import {
  type ChangePasswordRequest,
  type ConfirmRequest,
  type LinkRequest,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  PERSON_NAME_LENGTH_MAX,
  type SignInRequest,
  type UseLinkRequest,
} from "@propgate/contract";
import { z } from "zod";
import {
  fieldErrorTexts,
  type Parsed,
  parseBody,
  shortTextSchema,
  visibleLabelSchema,
} from "../json/json-fields.ts";

/** The length in code points, not in UTF-16 code units. */
const lengthOf = (text: string): number => Array.from(text).length;

const anyPassword = z
  .string(fieldErrorTexts("must be a string"))
  .refine((text) => lengthOf(text) <= PASSWORD_LENGTH_MAX, {
    error: `must have at most ${PASSWORD_LENGTH_MAX} characters`,
  });
const newPassword = anyPassword.refine((text) => lengthOf(text) >= PASSWORD_LENGTH_MIN, {
  error: `must have at least ${PASSWORD_LENGTH_MIN} characters`,
});
const token = z
  .string(fieldErrorTexts("must be a string"))
  .max(100, "must have at most 100 characters");

const SIGN_IN = z.strictObject({
  name: shortTextSchema(PERSON_NAME_LENGTH_MAX),
  password: anyPassword,
});
const LINK = z.strictObject({ token });
const flag = z.boolean(fieldErrorTexts("must be true or false")).default(false);
const USE_LINK = z.strictObject({
  token,
  password: newPassword,
  keepPasskeys: flag,
  revokeKeys: flag,
});
const CONFIRM = z.strictObject({ password: anyPassword });
const CHANGE_PASSWORD = z.strictObject({ current: anyPassword, next: newPassword });
/** Bytes in base64url, as in the JSON of WebAuthn. */
const bytes = z
  .string(fieldErrorTexts("must be a string"))
  .max(20_000, "must have at most 20000 characters")
  .regex(/^[A-Za-z0-9_-]+$/, "must be base64url");
/** An id of WebAuthn has at most 1,023 bytes, which are 1,364 characters. */
const credentialId = bytes.max(1_400, "must have at most 1400 characters");
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key", fieldErrorTexts("must be public-key")),
};

// These objects are not strict, because browsers send additional fields, which differ between releases.
const CREATED = z.object(
  {
    ...credential,
    response: z.object(
      {
        clientDataJSON: bytes,
        attestationObject: bytes,
        transports: z
          .array(shortTextSchema(32), fieldErrorTexts("must be a list of strings"))
          .max(10, "must have at most 10 entries")
          .default([]),
      },
      fieldErrorTexts("must be an object"),
    ),
  },
  fieldErrorTexts("must be an object"),
);
const SIGNED = z.object(
  {
    ...credential,
    response: z.object(
      {
        clientDataJSON: bytes,
        authenticatorData: bytes,
        signature: bytes,
        userHandle: bytes.nullable().default(null),
      },
      fieldErrorTexts("must be an object"),
    ),
  },
  fieldErrorTexts("must be an object"),
);

const NEW_PASSKEY = z.strictObject({ label: visibleLabelSchema, response: CREATED });
const PASSKEY_REPLY = z.strictObject({ response: SIGNED });
const NOTHING = z.strictObject({});

export const parseSignIn = (body: unknown): Parsed<SignInRequest> =>
  parseBody(SIGN_IN, body, (given) => given);

export const parseLink = (body: unknown): Parsed<LinkRequest> =>
  parseBody(LINK, body, (given) => given);

export const parseUseLink = (body: unknown): Parsed<UseLinkRequest> =>
  parseBody(USE_LINK, body, (given) => given);

export const parseConfirm = (body: unknown): Parsed<ConfirmRequest> =>
  parseBody(CONFIRM, body, (given) => given);

export const parseChangePassword = (body: unknown): Parsed<ChangePasswordRequest> =>
  parseBody(CHANGE_PASSWORD, body, (given) => given);

export const parseNothing = (body: unknown): Parsed<null> => parseBody(NOTHING, body, () => null);

export const parseNewPasskey = (
  body: unknown,
): Parsed<{ readonly label: string; readonly response: AttestationReply }> =>
  parseBody(NEW_PASSKEY, body, (given) => given);

export const parsePasskeyReply = (body: unknown): Parsed<AssertionReply> =>
  parseBody(PASSKEY_REPLY, body, ({ response }) => response);
