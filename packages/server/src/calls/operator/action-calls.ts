import type { OperatorAction } from "@propgate/contract";
import { type ActionId, actionId, type NewAction } from "@propgate/core";
import type { ActionRecord } from "@propgate/ledger";
import { ACTION_ROWS } from "../../storage/lists/settings-lists.ts";
import { parseUuid, problemReply } from "../json/json-fields.ts";
import { okReply, type RefusedReply, refusedReply } from "../json/json-reply.ts";
import { parseAnnouncement } from "./action-requests.ts";
import { answerList } from "./lists/list-call.ts";
import type { OperatorHandler } from "./operator-reply.ts";
import type { OperatorServices } from "./operator-services.ts";

export const listActions: OperatorHandler<"corporateActions.list"> = (options, call) =>
  answerList(options, call, "corporateActions.list", ACTION_ROWS);

/** Announces a corporate action. A repeated call answers the action that the first attempt announced. */
export const announceAction: OperatorHandler<"corporateActions.announce"> = async (
  { services, chance },
  { body, act },
  by,
) => {
  const announcement = parseAnnouncement(body, services.prices.pairOf);
  if (!announcement.ok) return problemReply(announcement);
  const { isAgain } = announcement.value;
  const action: NewAction = {
    ...announcement.value.action,
    id: actionId((act?.chance("action") ?? chance).uuid()),
  };
  const about = { subject: action.pair, detail: actionText(action) };
  const before = act?.isRepeat === true ? await recordOf(services, action.id) : null;
  const announced = before ?? (await services.actions.announce(action, { by: by.name, isAgain }));
  if ("refused" in announced) {
    const { refused: text, field, isConflict = false } = announced;
    return { ...refusedReply(text, isConflict ? 409 : 400, field), about };
  }
  return okReply(actionView(announced), about);
};

/** Cancels a corporate action. A repeated call finds the action cancelled and succeeds. */
export const cancelAction: OperatorHandler<"corporateActions.cancel"> = async (
  { services },
  { parameters, act },
) => {
  const id = parseUuid(parameters.id);
  const ended =
    id === null || act?.isRepeat !== true ? null : await recordOf(services, actionId(id));
  const isDone = ended?.status === "cancelled";
  const cancelled =
    id === null ? "missing" : isDone ? ended : await services.actions.cancel(actionId(id));
  if (cancelled === "missing" || id === null) return NO_ACTION;
  if ("refused" in cancelled)
    return { ...refusedReply(cancelled.refused, 409), about: { subject: id } };
  const { action } = cancelled;
  return okReply(actionView(cancelled), { subject: action.pair, detail: actionText(action) });
};

async function recordOf(
  { actions }: Pick<OperatorServices, "actions">,
  id: ActionId,
): Promise<ActionRecord | null> {
  return (await actions.list()).find(({ action }) => action.id === id) ?? null;
}

/** Describes an action for the audit: `split 4:1 at 2026-12-01T14:30:00.000Z`. */
function actionText(action: NewAction): string {
  const at = new Date(action.atMs).toISOString();
  return action.kind === "split"
    ? `split ${action.newShares}:${action.oldShares} at ${at}`
    : `dividend ${action.amount} at ${at}`;
}

function actionView({ action, ...record }: ActionRecord): OperatorAction {
  const { id, pair, kind, atMs, announcedAtMs } = action;
  const isSplit = action.kind === "split";
  return {
    id,
    pair,
    kind,
    newShares: isSplit ? action.newShares : null,
    oldShares: isSplit ? action.oldShares : null,
    amount: isSplit ? null : action.amount,
    atMs,
    announcedAtMs,
    ...record,
  };
}

const NO_ACTION: RefusedReply = refusedReply("Corporate action not found", 404);
