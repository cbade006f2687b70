import {
  boolean,
  count,
  id,
  list,
  nullable,
  object,
  optional,
  string,
  time,
  uuid,
  type Wire,
  word,
} from "../schema.ts";
import { describeList } from "./lists/list-description.ts";

const AUDIT_ROLES = ["owner", "operator", "none"] as const;

/** The item of `audit.list`, and of `GET accounts/:id/audit`, which the dashboard calls. */
export const AUDIT_LINE = object("One line of the audit.", {
  auditId: count("The line's number."),
  atMs: time("When it was written."),
  by: string("The actor: a person's name, or the words operator token and the token's name."),
  role: word(AUDIT_ROLES, "`none`: the caller was rejected."),
  address: string("The client's address."),
  deed: id("The action, such as `keys.create`, `sign-in` or `accounts.eliminate`."),
  subject: nullable(uuid("The id of the key, account, person or payout it concerns.")),
  accountId: nullable(uuid("The account it concerns.")),
  detail: nullable(string("Details such as a reason; never a secret.")),
  succeeded: boolean("Whether the action succeeded."),
});
export type AuditLine = Wire<typeof AUDIT_LINE>;

/** The list of the audit. `q` searches actors, subjects and accounts. */
export const AUDIT_LIST = describeList(AUDIT_LINE, {
  sort: "-auditId",
  ties: ["auditId"],
  parts: ["by"],
  beginnings: ["subject", "accountId"],
});

const AUDIT_PAGE = object("One page of the audit, newest line first.", {
  lines: list(AUDIT_LINE, "The lines of this page."),
  before: nullable(count("Send it as `before` to read the next page; null on the last page.")),
});
export type AuditPage = Wire<typeof AUDIT_PAGE>;

/**
 * The newest line of the audit that has a hash. A copy that is stored elsewhere is needed to notice that lines were
 * removed from the end of the audit.
 */
export const AUDIT_HEAD = object("The newest line that has a hash.", {
  auditId: count("The line's number."),
  hash: string("64 hexadecimal digits."),
});
export type AuditHeadView = Wire<typeof AUDIT_HEAD>;

export const VERIFY_AUDIT = object("The head to compare the audit with.", {
  head: optional(AUDIT_HEAD),
});
export type VerifyAuditRequest = Wire<typeof VERIFY_AUDIT>;

export const AUDIT_PROOF = object("The result of verifying the audit's hash chain.", {
  lines: count("Lines that were verified."),
  head: nullable(AUDIT_HEAD),
  broken: nullable(
    object("The first altered line; null if there is none.", {
      auditId: count("The line's number."),
      problem: string("The problem."),
    }),
  ),
});
export type AuditProofView = Wire<typeof AUDIT_PROOF>;
