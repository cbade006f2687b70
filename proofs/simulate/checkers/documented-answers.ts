/** Every answer is documented for its endpoint in its status, shape and texts, and contains no secrets. */
import {
  ERRORS,
  type ErrorRow,
  errorsOf,
  isAdditive,
  matchEndpoint,
  openApiDocument,
  SCOPES,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
  splitTarget,
} from "@propgate/contract";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Checker, Finding, HttpExchange, Observation } from "../checker.ts";
import { errorTextOf, fieldsOf, requestText } from "./answers.ts";

type Answered = Extract<HttpExchange["outcome"], { readonly kind: "answered" }>;

const NETWORK_NAME = "Propgate";

/** Patterns that no answer may match: secrets, stack traces, SQL statements, error messages of the database. */
const LEAKS: readonly RegExp[] = [
  /propgate_sk_[\w-]{20,}/,
  /\bv1=[\w+/]{20,}/,
  /\n\s+at /,
  /\.(ts|js|mjs):\d+/,
  /node_modules|file:\/\//,
  /\b(insert into|delete from|for no key update|unnest\()/i,
  /\bselect\b.*\bfrom\b/i,
  /\b(ECONN[A-Z]+|SQLSTATE|PGlite|postgres|deadlock|broken invariant)\b/i,
];

/** The statuses of faults. They must not occur while the service has no fault. */
const FAULT_STATUSES: ReadonlySet<number> = new Set([500, 502]);

/**
 * Compares every answer with the OpenAPI document and the table of errors, and finds answers that leak secrets or
 * internals, and answers with the status of a fault while the service had none. @rule S7.statuses S7.table S1.envelope
 */
export class DocumentedAnswers implements Checker {
  readonly name = "bounds";
  readonly #shapes = new Map<string, ValidateFunction>();
  readonly #ajv: Ajv2020;

  constructor() {
    const document = openApiDocument({
      brand: "Service",
      networkName: NETWORK_NAME,
      baseUrl: null,
      hasLinked: false,
    });
    this.#ajv = new Ajv2020({ strict: false, code: { optimize: false } });
    formats.default(this.#ajv, ["date", "uuid", "int64"]);
    this.#ajv.addSchema({ $id: "doc", ...fieldsOf(closedSchema(fieldsOf(document))) });
  }

  check(at: Observation): Promise<readonly Finding[]> {
    return Promise.resolve(at.ended.flatMap((exchange) => this.#judge(exchange, at)));
  }

  #judge(exchange: HttpExchange, at: Observation): readonly Finding[] {
    const { outcome, accountId } = exchange;
    if (outcome.kind === "lost") return [];
    const problems = [
      ...this.#answerProblems(exchange, outcome),
      ...leakProblems(outcome),
      ...unexplainedFault(exchange, outcome, at),
    ];
    return problems.map((problem) => ({
      checker: this.name,
      accountId,
      message: `${requestText(exchange)} was answered ${outcome.status}: ${problem}`,
    }));
  }

  #answerProblems(exchange: HttpExchange, outcome: Answered): readonly string[] {
    const endpoint = endpointOf(exchange);
    if (endpoint === null) {
      const isRefused = outcome.status === ERRORS.notFound.status;
      return isRefused ? failureProblems([ERRORS.notFound], outcome) : ["the path has no endpoint"];
    }
    if (outcome.status === 200) return this.#shapeProblems(endpoint, outcome.body);
    const rows = errorsOf(endpoint).map((name): ErrorRow => ERRORS[name]);
    return failureProblems(rows, outcome);
  }

  #shapeProblems(endpoint: SignedEndpointName, body: unknown): readonly string[] {
    const shape = this.#shapeOf(endpoint);
    if (shape(body)) return [];
    return [`the body does not have its shape: ${this.#ajv.errorsText(shape.errors)}`];
  }

  #shapeOf(endpoint: SignedEndpointName): ValidateFunction {
    const known = this.#shapes.get(endpoint);
    if (known !== undefined) return known;
    const { method, path } = SIGNED_ENDPOINTS[endpoint];
    const place = `${path.replaceAll("/", "~1")}/${method.toLowerCase()}`;
    const schema = `doc#/paths/${place}/responses/200/content/application~1json/schema`;
    const shape = this.#ajv.compile({ $ref: schema });
    this.#shapes.set(endpoint, shape);
    return shape;
  }
}

function endpointOf({ call }: HttpExchange): SignedEndpointName | null {
  if (call.kind === "trade") return "placeOrder";
  if (call.kind === "switch") return "cancelAllAfter";
  const match = matchEndpoint("GET", splitTarget(call.target).path);
  return match.kind === "endpoint" && !isAdditive(match.name) ? match.name : null;
}

/**
 * The problems of an error answer. It must have a text that the endpoint lists for its status, and a scope only with
 * the error that names one.
 */
function failureProblems(rows: readonly ErrorRow[], { status, body }: Answered): readonly string[] {
  const ofStatus = rows.filter((row) => row.status === status);
  if (ofStatus.length === 0) return ["the endpoint does not have this status"];
  const error = errorTextOf(body);
  if (error === null) return [`there is no error text in ${JSON.stringify(body)}`];
  if (!ofStatus.some((row) => isTextOf(row, error))) return [`the text "${error}" is unknown`];
  const { error: _error, required_scope: scope, ...more } = fieldsOf(body);
  const wantsScope = error === ERRORS.insufficientScope.text;
  if (wantsScope !== SCOPES.some((one) => one === scope)) return ["its scope is wrong"];
  return Object.keys(more).map((name) => `a failure has no field ${name}`);
}

function isTextOf({ text }: ErrorRow, error: string): boolean {
  if (typeof text === "string") return text === error;
  return text({ networkName: NETWORK_NAME, message: error }) === error && error.length > 0;
}

function leakProblems({ body }: Answered): readonly string[] {
  const text = JSON.stringify(body, null, 1).replaceAll("\\n", "\n");
  return LEAKS.filter((leak) => leak.test(text)).map((leak) => `the body contains ${String(leak)}`);
}

/** The problem of a fault status while the service had no fault. */
function unexplainedFault(
  exchange: HttpExchange,
  outcome: Answered,
  at: Observation,
): readonly string[] {
  const isUndisturbed = at.calm && exchange.sentTurn > at.lastFaultTurn;
  const isFault = FAULT_STATUSES.has(outcome.status);
  return isUndisturbed && isFault ? ["the service had no fault"] : [];
}

/** The schema with `additionalProperties: false` in every object, so that additional fields are found. */
function closedSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closedSchema);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closedSchema(value)]);
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  return copy.type === "object" ? { ...copy, additionalProperties: false } : copy;
}
