import type { IncomingHttpHeaders } from "node:http";
import { type RefusedReply, refusedReply, wrongFieldReply } from "../json/json-reply.ts";

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * The refusal of a call that a page of another site made, or that is not a GET and lacks the origin of the service's
 * own pages; else null. With every call that is not a GET, browsers send the origin of the page, which pages of other
 * sites cannot forge.
 */
export function foreignCallRefusal(
  call: { readonly method: string; readonly headers: IncomingHttpHeaders },
  publicUrl: string | null,
): RefusedReply | null {
  const { method, headers } = call;
  if (headers["sec-fetch-site"] === "cross-site") return CROSS_SITE;
  if (method === "GET") return null;
  if (headers.origin === undefined) return NO_ORIGIN;
  const own = ownOrigins(headers.host, publicUrl);
  return own.includes(headers.origin.toLowerCase()) ? null : OTHER_ORIGIN;
}

const CROSS_SITE = refusedReply("Another site's page may not call this", 403);
const NO_ORIGIN = wrongFieldReply("Origin", "is required of a call that changes something", 403);
const OTHER_ORIGIN = wrongFieldReply(
  "Origin",
  "is not this service's; PROPGATE_PUBLIC_URL must be the address that the browser shows",
  403,
);

/** The origins of this service's pages, as browsers write them. */
function ownOrigins(host: string | undefined, publicUrl: string | null): readonly string[] {
  const own = publicUrl === null ? [] : [publicUrl];
  if (host === undefined || (publicUrl !== null && !LOOPBACK.test(host))) return own;
  return [...own, `http://${host.toLowerCase()}`];
}
