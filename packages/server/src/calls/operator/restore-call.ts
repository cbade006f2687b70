import { problemReply } from "../json/json-fields.ts";
import { okReply, refusedReply } from "../json/json-reply.ts";
import type { OperatorHandler } from "./operator-reply.ts";
import { parseEmptyBody } from "./operator-requests.ts";

/** Confirms a restore. From then on the service trades on the restored data. @rule D13.readOnly */
export const confirmRestore: OperatorHandler<"restore.confirm"> = async (
  { services, clock },
  { body },
) => {
  const nothing = parseEmptyBody(body);
  if (!nothing.ok) return problemReply(nothing);
  const confirmed = await services.confirmRestore();
  if (confirmed === null) return refusedReply("No restore waits for a confirmation");
  const { asOfMs, restoredAtMs, confirmedAtMs } = confirmed;
  const detail = `as of ${new Date(asOfMs).toISOString()}`;
  return okReply({ asOfMs, restoredAtMs, confirmedAtMs: confirmedAtMs ?? clock.now() }, { detail });
};
