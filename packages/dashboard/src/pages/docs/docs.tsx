import { DEFAULT_BRAND, LIMIT_NOTES, LIMITS, type LimitName } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { sessionQuery } from "../../api/session.ts";
import { plainText } from "../../format/numbers.ts";
import { DOCS_PATH } from "../../frame/destinations.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/panel.tsx";
import { EndpointSection, ErrorList } from "./endpoint.tsx";
import { Fields, Prose } from "./fields.tsx";
import {
  answerHeadersOf,
  brandOf,
  type Endpoint,
  endpointsOf,
  OPENAPI_PATH,
  type OpenApi,
  openApiQuery,
  shortPath,
} from "./openapi.ts";

/** The API reference, made from the service's OpenAPI document. It cannot send requests. */
export function DocsPage() {
  const document = useQuery(openApiQuery);
  return (
    <Loaded query={document} heightClass="min-h-dvh">
      {(data) => <Reference document={data} />}
    </Loaded>
  );
}

function Reference({ document }: { readonly document: OpenApi }) {
  const session = useQuery(sessionQuery).data ?? null;
  const endpoints = endpointsOf(document);
  const baseUrl = session?.baseUrl ?? location.origin;
  const brand = session?.brand ?? brandOf(document) ?? DEFAULT_BRAND;
  useAnchor();
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <Contents endpoints={endpoints} />
      <div className="flex min-w-0 flex-col gap-4">
        <div>
          <h1 className="text-lg font-semibold">{document.info.title}</h1>
          <p className="mt-1 text-xs text-muted">
            Version {document.info.version} ·{" "}
            <a href={OPENAPI_PATH} className="text-accent underline">
              OpenAPI file
            </a>{" "}
            ·{" "}
            <a href={DOCS_PATH} className="text-accent underline">
              Documentation
            </a>{" "}
            · base address <span className="font-mono">{baseUrl}</span>
          </p>
        </div>
        <Signing document={document} />
        {endpoints.map((endpoint) => (
          <EndpointSection
            key={endpoint.operation.operationId}
            {...{ document, endpoint, baseUrl, brand }}
          />
        ))}
        <OrderTypes document={document} />
        <AnswerHeaders document={document} />
        <BeforeEndpoints document={document} />
        <Limits />
        <p className="text-xs text-muted">
          These pages are made with{" "}
          <a href="/licences/libraries.txt" className="underline">
            third-party libraries
          </a>{" "}
          and{" "}
          <a href="/licences/inter.txt" className="underline">
            their typeface
          </a>
          .
        </p>
      </div>
    </div>
  );
}

/** Scrolls to the section in the URL, which exists only after the document has loaded. */
function useAnchor(): void {
  useEffect(() => {
    const id = decodeURIComponent(location.hash.slice(1));
    if (id !== "") window.document.getElementById(id)?.scrollIntoView();
  }, []);
}

function Contents({ endpoints }: { readonly endpoints: readonly Endpoint[] }) {
  const lines = [
    { id: "signing", name: "Signing" },
    ...endpoints.map(({ method, path, operation }) => ({
      id: operation.operationId,
      name: `${method} ${shortPath(path)}`,
    })),
    { id: "order-types", name: "Order types" },
    { id: "answer-headers", name: "Answer headers" },
    { id: "before-endpoints", name: "Errors before any endpoint" },
    { id: "limits", name: "Limits" },
  ];
  return (
    <nav
      aria-label="On this page"
      className="rounded-box border border-line bg-panel p-3 lg:sticky lg:top-28"
    >
      <ul className="flex flex-wrap gap-x-4 gap-y-1 lg:flex-col">
        {lines.map(({ id, name }) => (
          <li key={id}>
            <a href={`#${id}`} className="block py-0.5 text-accent hover:underline">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Anchored({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <div id={id} className="scroll-mt-28">
      <Panel title={title}>{children}</Panel>
    </div>
  );
}

function Signing({ document }: { readonly document: OpenApi }) {
  return (
    <Anchored id="signing" title="Signing">
      <div className="flex flex-col gap-3">
        <Prose text={document.info.description} />
        <Headers
          headers={Object.values(document.components.securitySchemes).map(
            ({ name, description }) => [name, description] as const,
          )}
        />
        <p>
          Signature rejected?{" "}
          <Link to="/debugger" className="text-accent underline">
            The signature debugger
          </Link>{" "}
          finds the reason.
        </p>
      </div>
    </Anchored>
  );
}

/** A list of headers, each with its description. */
function Headers({
  headers,
}: {
  readonly headers: readonly (readonly [name: string, description: string])[];
}) {
  return (
    <dl className="divide-y divide-line rounded-box border border-line">
      {headers.map(([name, description]) => (
        <div key={name} className="grid gap-x-4 px-3 py-2 sm:grid-cols-[14rem_1fr]">
          <dt className="font-mono text-xs font-semibold wrap-anywhere">{name}</dt>
          <dd>
            <Prose text={description} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function AnswerHeaders({ document }: { readonly document: OpenApi }) {
  return (
    <Anchored id="answer-headers" title="Answer headers">
      <Headers headers={answerHeadersOf(document)} />
    </Anchored>
  );
}

function BeforeEndpoints({ document }: { readonly document: OpenApi }) {
  const answers = Object.values(document.components.responses);
  return (
    <Anchored id="before-endpoints" title="Errors before any endpoint">
      <div className="flex flex-col gap-3">
        <Prose text={answers.map(({ description = "" }) => description).join(" ")} />
        <ErrorList answers={answers} />
      </div>
    </Anchored>
  );
}

/**
 * The kinds of orders with their fields. They are also described with their endpoint, and repeated here because readers
 * look them up most often.
 */
function OrderTypes({ document }: { readonly document: OpenApi }) {
  const trade = document.components.schemas.OrderTrade;
  if (trade === undefined) return null;
  return (
    <Anchored id="order-types" title="Order types">
      <Prose text={trade.description ?? ""} />
      <div className="mt-3">
        <Fields document={document} schema={trade} />
      </div>
    </Anchored>
  );
}

const LIMIT_NAMES = Object.keys(LIMITS).filter((name): name is LimitName => name in LIMIT_NOTES);

function Limits() {
  return (
    <Anchored id="limits" title="Limits">
      <ul className="divide-y divide-line rounded-box border border-line">
        {LIMIT_NAMES.map((name) => {
          const { what, unit, appliesTo } = LIMIT_NOTES[name];
          return (
            <li key={name} className="grid gap-x-4 px-3 py-2 sm:grid-cols-[14rem_1fr]">
              <p className="figure">
                <strong>{plainText(LIMITS[name])}</strong>{" "}
                <span className="text-xs text-muted">{unit}</span>
              </p>
              <div>
                <Prose text={what} />
                <p className="text-xs text-muted">{appliesTo}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </Anchored>
  );
}
