import type { Scope } from "../words.ts";

/** Item of `GET accounts/:id/keys`. @rule S5.R3 D8.keyLimits */
export interface KeyLine {
  readonly keyId: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** Addresses or CIDR blocks; empty: from anywhere. */
  readonly addresses: readonly string[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly lastUsedFrom: string | null;
  /** Reads in the minute that is running. */
  readonly reads: { readonly used: number; readonly most: number; readonly windowEndsAtMs: number };
  /** Rejected orders that count, and until when the key may place none. */
  readonly rejections: {
    readonly used: number;
    readonly most: number;
    readonly cooldownUntilMs: number | null;
  };
}

/** `POST accounts/:id/keys` */
export interface CreateKeyRequest {
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs?: number | null;
  readonly addresses?: readonly string[];
}

/** Its answer, the only one that ever holds the secret. */
export interface CreatedKeyView {
  readonly key: KeyLine;
  readonly secret: string;
}

/** Item of `GET accounts/:id/audit` and, for the operator, of `GET operator/audit`: newest first. */
export interface AuditLine {
  readonly auditId: number;
  readonly atMs: number;
  /** Who: a person's name, or `operator token`. */
  readonly by: string;
  readonly role: string;
  readonly address: string;
  /** What, such as `key.create`, `sign-in` or `account.eliminate`. */
  readonly deed: string;
  /** On what: a key's id, an account's. */
  readonly subject: string | null;
  readonly accountId: string | null;
  /** What was said about it, such as a reason; never a secret. */
  readonly detail: string | null;
  readonly succeeded: boolean;
}

export interface AuditPage {
  readonly lines: readonly AuditLine[];
  /** Pass it as `before`; null on the last page. */
  readonly before: number | null;
}
