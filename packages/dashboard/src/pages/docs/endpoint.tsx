import { ERRORS, type ErrorName, type RetryClass } from "@propgate/contract";
import { type ReactNode, useState } from "react";
import { Snippet } from "../../parts/copy.tsx";
import { Choice, Switcher } from "../../parts/field.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Fields, Prose } from "./fields.tsx";
import {
  type Content,
  type Endpoint,
  type OpenApi,
  type Operation,
  resolvedParameter,
  typeText,
} from "./openapi.ts";
import { type Language, sampleText } from "./samples.ts";

interface EndpointProps {
  readonly document: OpenApi;
  readonly endpoint: Endpoint;
  readonly baseUrl: string;
  readonly brand: string;
}

/** One endpoint: what it takes, what it answers, what can go wrong, and a program that calls it. */
export function EndpointSection(props: EndpointProps) {
  const { document, endpoint } = props;
  const { method, path, operation } = endpoint;
  const schema = jsonOf(operation.requestBody)?.schema;
  return (
    <section
      id={operation.operationId}
      aria-labelledby={`${operation.operationId}-title`}
      className="scroll-mt-28 rounded-box border border-line bg-panel"
    >
      <header className="border-b border-line px-4 py-3">
        <h2
          id={`${operation.operationId}-title`}
          className="flex flex-wrap items-baseline gap-x-3 font-mono font-semibold"
        >
          <span className="text-accent">{method}</span>
          <span className="wrap-anywhere">{path}</span>
        </h2>
        <p className="mt-1 flex flex-wrap items-center gap-2">
          {operation.summary}{" "}
          <Badge kind="info">{operation["x-propgate-scope"] ?? "any scope"}</Badge>
        </p>
      </header>
      <div className="grid gap-x-6 gap-y-6 p-4 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <Parameters document={document} operation={operation} />
          {schema !== undefined && (
            <Part title="Body">
              <Prose text={operation.requestBody?.description ?? ""} />
              <div className="mt-2">
                <Fields document={document} schema={schema} />
              </div>
            </Part>
          )}
          <Answer document={document} operation={operation} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Sample {...props} />
          <AnswerExample operation={operation} />
          <Errors operation={operation} />
        </div>
      </div>
    </section>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-xs font-semibold tracking-wide text-muted">{title}</h3>
      {children}
    </div>
  );
}

function jsonOf(content: Content | undefined) {
  return content?.content?.["application/json"];
}

function Parameters({
  document,
  operation,
}: {
  readonly document: OpenApi;
  readonly operation: Operation;
}) {
  const parameters = (operation.parameters ?? []).map((one) => resolvedParameter(document, one));
  const inQuery = parameters.filter((one) => one.in === "query");
  if (inQuery.length === 0) return null;
  return (
    <Part title="Query">
      <ul className="divide-y divide-line rounded-box border border-line">
        {inQuery.map(({ name, description = "", schema = {}, required }) => (
          <li key={name} className="px-3 py-2">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-mono text-xs font-semibold">{name}</span>
              <span className="font-mono text-xs text-muted">{typeText(document, schema)}</span>
              {required !== true && <span className="text-xs text-muted">optional</span>}
              {schema.default !== undefined && (
                <span className="text-xs text-muted">usually {String(schema.default)}</span>
              )}
            </p>
            <Prose text={description} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Answer({
  document,
  operation,
}: {
  readonly document: OpenApi;
  readonly operation: Operation;
}) {
  const schema = jsonOf(operation.responses["200"])?.schema?.properties?.data;
  if (schema === undefined) return null;
  return (
    <Part title="Answer, data">
      {typeText(document, schema) !== "object" && <Prose text={typeText(document, schema)} />}
      <div className="mt-2">
        <Fields document={document} schema={schema} />
      </div>
    </Part>
  );
}

function AnswerExample({ operation }: { readonly operation: Operation }) {
  const examples = Object.entries(jsonOf(operation.responses["200"])?.examples ?? {});
  const [chosen, setChosen] = useState(examples[0]?.[0] ?? "");
  const example = examples.find(([name]) => name === chosen)?.[1];
  if (example === undefined) return null;
  return (
    <Part title="Answer, an example">
      {examples.length > 1 && (
        <div className="mb-2">
          <Choice
            label="Example of an answer"
            value={chosen}
            onChange={setChosen}
            options={examples.map(([name, { summary }]) => ({
              value: name,
              text: summary ?? name,
            }))}
          />
        </div>
      )}
      <div className="max-h-96 overflow-y-auto">
        <Snippet
          label={`Answer of ${operation.operationId}`}
          text={JSON.stringify(example.value, null, 2)}
        />
      </div>
    </Part>
  );
}

const LANGUAGES: readonly { readonly value: Language; readonly text: string }[] = [
  { value: "curl", text: "curl" },
  { value: "python", text: "Python" },
  { value: "typescript", text: "TypeScript" },
];

function Sample({ endpoint, baseUrl, brand }: EndpointProps) {
  const { method, path, operation } = endpoint;
  const bodies = Object.entries(jsonOf(operation.requestBody)?.examples ?? {});
  const [language, setLanguage] = useState<Language>("curl");
  const [chosen, setChosen] = useState(bodies[0]?.[0] ?? "");
  const value = bodies.find(([name]) => name === chosen)?.[1].value;
  const body = value === undefined ? "" : JSON.stringify(value);
  return (
    <Part title="A signed request">
      <Switcher label="Language" value={language} onChange={setLanguage} options={LANGUAGES} />
      {bodies.length > 0 && (
        <div className="my-2">
          <Choice
            label="What it sends"
            value={chosen}
            onChange={setChosen}
            options={bodies.map(([name]) => ({ value: name, text: name }))}
          />
        </div>
      )}
      <Snippet
        label={`${operation.operationId} in ${language}`}
        text={sampleText(language, { method, target: path, body, baseUrl, brand })}
      />
    </Part>
  );
}

const FIXES: Readonly<Record<RetryClass, string>> = {
  afterFixing: "Mend the request, sign it again with a fresh nonce, and send it.",
  withBackoff: "Send it again later, signed anew, and wait longer each time.",
  never: "Do not send it again: the same request is always refused.",
};

interface Failing {
  readonly status: string;
  readonly name: string;
  readonly text: string;
}

function Errors({ operation }: { readonly operation: Operation }) {
  const failing = Object.entries(operation.responses)
    .filter(([status]) => status !== "200")
    .flatMap(([status, content]) =>
      Object.entries(jsonOf(content)?.examples ?? {}).map(([name, { value }]) => ({
        ...{ status, name },
        text: errorTextOf(value),
      })),
    );
  return (
    <Part title="Errors">
      <ul className="divide-y divide-line rounded-box border border-line">
        {failing.map((one) => (
          <li key={one.name} className="px-3 py-2">
            <ErrorLine failing={one} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function ErrorLine({ failing: { status, name, text } }: { readonly failing: Failing }) {
  const known = isErrorName(name) ? ERRORS[name] : null;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="figure font-semibold">{status}</span>
        <code className="font-mono text-xs wrap-anywhere">{text}</code>
      </p>
      {known !== null && (
        <>
          <Prose text={known.cause} />
          <p className="text-xs">{FIXES[known.retry]}</p>
        </>
      )}
    </>
  );
}

function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(ERRORS, name);
}

function errorTextOf(value: unknown): string {
  const isFailure = typeof value === "object" && value !== null && "error" in value;
  return isFailure ? String(value.error) : JSON.stringify(value);
}
