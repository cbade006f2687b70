import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import {
  type BatchObserver,
  formatTraceParent,
  parseTraceParent,
  serviceRelease,
  type TraceParent,
} from "@propgate/base";
import type { ForwardedTraces } from "@propgate/cluster";
import { SIGNED_ENDPOINTS, type SignedEndpointName } from "@propgate/contract";
import type {
  ObservedRequest,
  RequestObserver,
  RequestPart,
  RequestTimer,
} from "../../api/request-observer.ts";
import type { Tracing } from "./open-tracing.ts";

const EXPORT_TIMEOUT_MS = 2_000;
const NEXT_PART: Readonly<Record<RequestPart, RequestPart | null>> = {
  checks: "admission",
  admission: "work",
  work: null,
};

/**
 * Creates the tracing of a service.
 * @param url the collector's origin, such as `http://127.0.0.1:4318`
 */
export function createTracing(url: string): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${url}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "propgate",
      "service.version": serviceRelease(),
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  const tracer = provider.getTracer("propgate");
  return {
    observers: (others) => ({
      requests: tracedRequests(tracer, others?.requests),
      commits: {
        ...tracedBatches(tracer, "commit", others?.commits),
        wrote: (journalLines) => others?.commits.wrote(journalLines),
      },
      fault: () => others?.fault(),
    }),
    forwarded: { begin: (parent) => tracedCommand(tracer, parent) },
    close: () => provider.shutdown().catch(() => undefined),
  };
}

function tracedRequests(tracer: Tracer, other: RequestObserver | undefined): RequestObserver {
  return {
    begin: (endpoint, request) =>
      new TracedRequest(tracer, { endpoint, request, other: other?.begin(endpoint, request) }),
    rejected: (error) => other?.rejected(error),
    answered: (request) => other?.answered(request),
    admissions: tracedBatches(tracer, "admission", other?.admissions),
  };
}

/** A batch serves several requests, so it has a trace of its own. */
function tracedBatches(
  tracer: Tracer,
  name: string,
  other: BatchObserver | undefined,
): BatchObserver {
  return {
    begin(size) {
      const span = tracer.startSpan(`${name} batch`, {
        root: true,
        attributes: { "propgate.batch.size": size },
      });
      const ended = other?.begin(size);
      return () => {
        span.end();
        ended?.();
      };
    },
  };
}

/** Traces a forwarded command in the trace of the node that got the request. */
function tracedCommand(tracer: Tracer, parent: TraceParent): ReturnType<ForwardedTraces["begin"]> {
  const span = tracer.startSpan("forwarded order", { kind: SpanKind.SERVER }, contextOf(parent));
  return (end) => {
    span.setAttribute("propgate.forwarding.end", end);
    span.end();
  };
}

class TracedRequest implements RequestTimer {
  readonly #tracer: Tracer;
  readonly #other: RequestTimer | undefined;
  readonly #span: Span;
  readonly #context: Context;
  #part: Span | null;

  constructor(
    tracer: Tracer,
    traced: {
      readonly endpoint: SignedEndpointName;
      readonly request: ObservedRequest;
      readonly other: RequestTimer | undefined;
    },
  ) {
    const { method, path } = SIGNED_ENDPOINTS[traced.endpoint];
    const parent = parentOf(traced.request);
    this.#tracer = tracer;
    this.#other = traced.other;
    this.#span = tracer.startSpan(
      `${method} ${path}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          "http.request.method": method,
          "http.route": path,
          "propgate.request.id": traced.request.requestId,
        },
      },
      parent,
    );
    this.#context = trace.setSpan(parent, this.#span);
    this.#part = this.#begin("checks");
  }

  ended(part: RequestPart): void {
    this.#part?.end();
    const next = NEXT_PART[part];
    this.#part = next === null ? null : this.#begin(next);
    this.#other?.ended(part);
  }

  answered(status: number): void {
    this.#part?.end();
    this.#span.setAttribute("http.response.status_code", status);
    if (status >= 500) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
    this.#other?.answered(status);
  }

  trace(): TraceParent {
    return formatTraceParent((this.#part ?? this.#span).spanContext());
  }

  #begin(part: RequestPart): Span {
    return this.#tracer.startSpan(part, {}, this.#context);
  }
}

/** The context of the client's span; an empty context when the header `traceparent` is missing or malformed. */
function parentOf({ message }: ObservedRequest): Context {
  return contextOf(String(message.headers.traceparent));
}

function contextOf(parent: string): Context {
  const ids = parseTraceParent(parent);
  if (ids === null) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { ...ids, isRemote: true });
}
