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
export const AUDIT_LINE = object("One line of the audit log.", {
  auditId: count("The line's number."),
  atMs: time("When the line was written."),
  by: string("The actor: the name of a person, or the words operator token and the token's name."),
  role: word(AUDIT_ROLES, "The role of the actor; `none` when the caller was rejected."),
  address: string("The client's IP address."),
  deed: id("The action, such as `keys.create`, `sign-in` or `accounts.eliminate`."),
  subject: nullable(
    uuid(
      "The id of the key, account, person or payout that the action concerned; null without one.",
    ),
  ),
  accountId: nullable(uuid("The account that the action concerned; null without one.")),
  detail: nullable(string("Details, such as a reason, but never a secret; null without any.")),
  succeeded: boolean("Whether the action succeeded."),
});
export type AuditLine = Wire<typeof AUDIT_LINE>;

/**
 * How the lines of the audit are listed: the newest first. `q` finds them by any part of the actor, and by the
 * beginning of the subject or the account id.
 */
export const AUDIT_LIST = describeList(AUDIT_LINE, {
  sort: "-auditId",
  ties: ["auditId"],
  parts: ["by"],
  beginnings: ["subject", "accountId"],
});

const AUDIT_PAGE = object("One page of the audit log, newest line first.", {
  lines: list(AUDIT_LINE, "The lines of this page."),
  before: nullable(count("Pass it as `before` to read the next page; null on the last page.")),
});
export type AuditPage = Wire<typeof AUDIT_PAGE>;

/**
 * The newest line of the audit that has a hash. A copy that is stored elsewhere is needed to notice that lines were
 * removed from the end of the audit.
 */
export const AUDIT_HEAD = object(
  "The newest line of the audit log that has a hash; null without one.",
  {
    auditId: count("The line's number."),
    hash: string("The hash of the line, 64 hexadecimal digits."),
  },
);
export type AuditHeadView = Wire<typeof AUDIT_HEAD>;

export const VERIFY_AUDIT = object("A line and its hash that the audit log must contain.", {
  head: optional(AUDIT_HEAD),
});
export type VerifyAuditRequest = Wire<typeof VERIFY_AUDIT>;

export const AUDIT_PROOF = object("The result of the verification of the audit log's hash chain.", {
  lines: count("Number of lines that were verified."),
  head: nullable(AUDIT_HEAD),
  broken: nullable(
    object("The first altered line; null if no line was altered.", {
      auditId: count("The line's number."),
      problem: string("The problem that was found in the line."),
    }),
  ),
});
export type AuditProofView = Wire<typeof AUDIT_PROOF>;
