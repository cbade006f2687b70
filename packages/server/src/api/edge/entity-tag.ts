import { createHash } from "node:crypto";

/** The strong entity tag of these bytes, in its quotes. */
export function entityTag(bytes: Buffer): string {
  return `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
}

/** Whether `If-None-Match` names the tag, alone, in a list or as `*` (RFC 9110, section 13.1.2). */
export function hasEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(",").map((one) => one.trim().replace(/^W\//, ""));
  return tags.includes(tag) || tags.includes("*");
}
