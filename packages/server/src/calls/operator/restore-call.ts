import { problemReply } from "../json/json-fields.ts";
import { okReply, refusedReply } from "../json/json-reply.ts";
import type { Handle } from "./operator-reply.ts";
import { parseNothing } from "./operator-requests.ts";

/** Confirms a restore. From then on the service trades on the restored data. @rule D13.readOnly */
export const confirmRestore: Handle<"restore.confirm"> = async ({ services, clock }, { body }) => {
  const nothing = parseNothing(body);
  if (!nothing.ok) return problemReply(nothing);
  const confirmed = await services.confirmRestore();
  if (confirmed === null) return refusedReply("No restore waits for a confirmation");
  const { asOfMs, restoredAtMs, confirmedAtMs } = confirmed;
  const detail = `as of ${new Date(asOfMs).toISOString()}`;
  return okReply({ asOfMs, restoredAtMs, confirmedAtMs: confirmedAtMs ?? clock.now() }, { detail });
};
