/**
 * The header `traceparent` of W3C Trace Context, `00-<trace>-<span>-<flags>`. It names a span of the sender, and the
 * receiver's span becomes a child of that span. Only a service that exports traces sends the header.
 */
export type TraceParent = string & { readonly __traceParent: true };

/** The form of a `traceparent`. Neither id may be all zeros. */
const FORM = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The parts of a `traceparent`: the id of the trace, the id of the sender's span, and the flags. */
export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** Whether the text has the form of a `traceparent`. */
export function isTraceParent(text: string): text is TraceParent {
  return FORM.test(text);
}

/** The ids of a `traceparent`; null for a text of another form. */
export function parseTraceParent(text: string): TraceIds | null {
  const [, traceId, spanId, flags] = FORM.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

export function formatTraceParent({ traceId, spanId, traceFlags }: TraceIds): TraceParent {
  const flags = traceFlags.toString(16).padStart(2, "0");
  return `00-${traceId}-${spanId}-${flags}` as TraceParent;
}
