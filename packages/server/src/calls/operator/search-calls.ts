import { nameKey, type Person } from "@propgate/access";
import { FOUND_MAX } from "@propgate/contract";
import { AUDIT_ROWS } from "../../storage/lists/audit-list.ts";
import { problemReply } from "../json/json-fields.ts";
import { okReply } from "../json/json-reply.ts";
import { answerList } from "./lists/list-call.ts";
import type { OperatorHandler } from "./operator-reply.ts";
import { parseNotedHead, parseSearch } from "./operator-requests.ts";
import { auditProofView } from "./operator-views.ts";

/**
 * Finds accounts by the beginning of their ids or by a part of their owner's id or external id, keys by the beginning
 * of their ids or by a part of their labels, payouts by the beginning of their ids, and people by a part of their
 * names.
 */
export const search: OperatorHandler<"search"> = async ({ services }, { query }) => {
  const text = parseSearch(query);
  if (!text.ok) return problemReply(text);
  const part = nameKey(text.value);
  const people = (await services.people.roster.list())
    .filter(({ name }) => nameKey(name).includes(part))
    .slice(0, FOUND_MAX);
  return okReply({ ...(await services.search.find(text.value)), people: people.map(foundPerson) });
};

function foundPerson({ personId, name, role }: Person): Pick<Person, "personId" | "name" | "role"> {
  return { personId, name, role };
}

/** Computes the audit's hash chain again, and compares it with a head that was noted earlier, if the body has one. */
export const verifyAudit: OperatorHandler<"audit.verify"> = async ({ services }, { body }) => {
  const noted = parseNotedHead(body);
  return noted.ok
    ? okReply(auditProofView(await services.people.audit.prove(noted.value)))
    : problemReply(noted);
};

export const listAudit: OperatorHandler<"audit.list"> = (options, call) =>
  answerList(options, call, "audit.list", AUDIT_ROWS);
