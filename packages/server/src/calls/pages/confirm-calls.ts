import { CONFIRMATION_LIFE_MS, type SignInRefusal } from "@propgate/access";
import type { ConfirmationView } from "@propgate/contract";
import { problemReply } from "../json/json-fields.ts";
import {
  type JsonReply,
  okReply,
  type RefusedReply,
  refusedReply,
  wrongFieldReply,
} from "../json/json-reply.ts";
import type { DashboardCallOptions, SignedInHandler } from "./dashboard-call.ts";
import { parseConfirm, parseNothing, parsePasskeyReply } from "./dashboard-requests.ts";
import { NO_PASSKEYS, partyOf } from "./passkey-calls.ts";
import { signInRefusedReply } from "./sign-in-calls.ts";

/**
 * The answer to a sensitive call of a person who has given neither password nor passkey in the last five minutes.
 * Because of it, a stolen cookie is not enough. The pages then request one of the two and repeat the call.
 */
export const NOT_CONFIRMED: RefusedReply = {
  ...refusedReply("Confirm that it is you: give your password or a passkey, then repeat this", 403),
  code: "confirmation_needed",
};

/** POST confirm: confirms by the person's password. */
export const confirmWithPassword: SignedInHandler = async (
  options,
  { body },
  { signedIn, from },
) => {
  const request = parseConfirm(body);
  if (!request.ok) return problemReply(request);
  const given = { password: request.value.password, address: from.address };
  const result = await options.people.passwords.confirm(signedIn, given);
  return confirmationReply(
    options,
    result,
    wrongFieldReply("password", "is not your password", 403),
  );
};

/** POST confirm/passkey/options: answers the options with which the browser requests a passkey. */
export const confirmOptions: SignedInHandler = async (options, { body }, caller) => {
  const nothing = parseNothing(body);
  if (!nothing.ok) return problemReply(nothing);
  const party = partyOf(options, caller);
  if (party === null) return NO_PASSKEYS;
  const request = await options.people.passkeys.confirmOptions(caller.signedIn, party);
  return request === null ? NO_OLDER_PASSKEY : okReply(request);
};

/** POST confirm/passkey: confirms by a passkey. */
export const confirmWithPasskey: SignedInHandler = async (options, { body }, caller) => {
  const request = parsePasskeyReply(body);
  if (!request.ok) return problemReply(request);
  const party = partyOf(options, caller);
  if (party === null) return NO_PASSKEYS;
  const origin = { party, address: caller.from.address };
  const result = await options.people.passkeys.confirm(caller.signedIn, request.value, origin);
  return confirmationReply(options, result, WRONG_PASSKEY);
};

const NO_OLDER_PASSKEY = refusedReply(
  "You have no passkey that is older than this sign-in; confirm with your password",
);

const WRONG_PASSKEY = refusedReply(
  "This passkey was not accepted; try again, or confirm with your password",
  403,
);

function confirmationReply(
  { clock }: DashboardCallOptions,
  result: "done" | SignInRefusal,
  wrong: RefusedReply,
): JsonReply {
  if (result !== "done") return signInRefusedReply(result, wrong);
  const view: ConfirmationView = { confirmedUntilMs: clock.now() + CONFIRMATION_LIFE_MS };
  return okReply(view);
}
