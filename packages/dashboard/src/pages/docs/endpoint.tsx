import { EDGE_ERRORS, ERROR_NAMES, ERROR_NOTES, ERRORS, type RetryClass } from "@propgate/contract";
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
  sampleTarget,
  typeText,
} from "./openapi.ts";
import { remedyOf } from "./remedies.ts";
import { type Language, sampleText } from "./samples.ts";

interface EndpointProps {
  readonly document: OpenApi;
  readonly endpoint: Endpoint;
  readonly baseUrl: string;
  readonly brand: string;
}

/** One endpoint: its request, its answer, its errors and a sample program. */
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
  const inQuery = (operation.parameters ?? []).filter((one) => one.in === "query");
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
    <Part title="Example answer">
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
            label="Request"
            value={chosen}
            onChange={setChosen}
            options={bodies.map(([name]) => ({ value: name, text: name }))}
          />
        </div>
      )}
      <Snippet
        label={`${operation.operationId} in ${language}`}
        text={sampleText(language, {
          method,
          target: sampleTarget({ path, operation }),
          body,
          baseUrl,
          brand,
        })}
      />
    </Part>
  );
}

/** The contract's details of each error, by the name of its example. */
const ERROR_DETAILS = new Map<
  string,
  { readonly status: number; readonly cause: string; readonly retry: RetryClass }
>([
  ...ERROR_NAMES.map((name) => [name, { ...ERRORS[name], ...ERROR_NOTES[name] }] as const),
  ...Object.entries(EDGE_ERRORS),
]);

function Errors({ operation }: { readonly operation: Operation }) {
  return (
    <Part title="Errors">
      <ErrorList
        answers={Object.entries(operation.responses)
          .filter(([status]) => status !== "200")
          .map(([, answer]) => answer)}
      />
    </Part>
  );
}

/** The errors of these answers, each with its cause and its remedy. */
export function ErrorList({ answers }: { readonly answers: readonly Content[] }) {
  const examples = answers.flatMap((answer) => Object.entries(jsonOf(answer)?.examples ?? {}));
  return (
    <ul className="divide-y divide-line rounded-box border border-line">
      {examples.map(([name, { summary, value }]) => (
        <li key={name} className="px-3 py-2">
          <ErrorLine name={name} status={statusOf(summary)} text={errorTextOf(value)} />
        </li>
      ))}
    </ul>
  );
}

/** The status at the beginning of an example's summary, `500: …`. Undefined when the summary has none. */
function statusOf(summary: string | undefined): string | undefined {
  return /^\d{3}(?=: )/.exec(summary ?? "")?.[0];
}

function ErrorLine(error: {
  readonly name: string;
  readonly status: string | undefined;
  readonly text: string;
}) {
  const { name, status, text } = error;
  const known = ERROR_DETAILS.get(name);
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="figure font-semibold">{status ?? known?.status}</span>
        <code className="font-mono text-xs wrap-anywhere">{text}</code>
      </p>
      {known !== undefined && (
        <>
          <Prose text={known.cause} />
          <p className="text-xs">{remedyOf(name, known.retry)}</p>
        </>
      )}
    </>
  );
}

function errorTextOf(value: unknown): string {
  const isFailure = typeof value === "object" && value !== null && "error" in value;
  return isFailure ? String(value.error) : JSON.stringify(value);
}
