import type { ReactNode } from "react";
import {
  fieldsOf,
  isNullable,
  type OpenApi,
  resolvedSchema,
  rulesOf,
  type SchemaNode,
  typeText,
  variantsOf,
} from "./openapi.ts";

interface FieldsProps {
  readonly document: OpenApi;
  readonly schema: SchemaNode;
}

/** The fields of an object, or of each of its possible shapes. Nested fields can be opened. */
export function Fields({ document, schema }: FieldsProps) {
  const node = innermost(document, schema);
  const variants = variantsOf(document, node);
  if (variants.length > 0) return <Variants document={document} variants={variants} />;
  const { required = [] } = node;
  const rules = rulesOf(document, node);
  return (
    <>
      {rules !== "" && <Prose text={rules} />}
      <ul className="divide-y divide-line rounded-box border border-line">
        {fieldsOf(node).map(([name, field]) => (
          <li key={name} className="px-3 py-2">
            <FieldLine
              name={name}
              document={document}
              field={field}
              isRequired={required.includes(name)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The schema itself; for a list, or a list of lists, the schema of the innermost items. */
function innermost(document: OpenApi, schema: SchemaNode): SchemaNode {
  const node = resolvedSchema(document, schema);
  return node.items === undefined ? node : innermost(document, node.items);
}

function Variants({
  document,
  variants,
}: {
  readonly document: OpenApi;
  readonly variants: readonly SchemaNode[];
}) {
  return (
    <ul className="flex flex-col gap-1">
      {variants.map((variant) => (
        <li key={JSON.stringify(variant)}>
          <FieldDetails summary={variantName(variant)} note={variant.description ?? ""}>
            <Fields document={document} schema={variant} />
          </FieldDetails>
        </li>
      ))}
    </ul>
  );
}

/** The name of a shape: the value of its constant field, otherwise the names of its required fields. */
function variantName({ properties = {}, required = [], description }: SchemaNode): string {
  const constant = Object.values(properties).find((field) => typeof field.const === "string");
  if (constant !== undefined) return String(constant.const);
  return required.length === 0 ? (description ?? "another") : required.join(", ");
}

function FieldLine({
  name,
  document,
  field,
  isRequired,
}: {
  readonly name: string;
  readonly document: OpenApi;
  readonly field: SchemaNode;
  readonly isRequired: boolean;
}) {
  const node = resolvedSchema(document, field);
  const inner = innermost(document, node);
  const hasInner =
    inner.properties !== undefined || inner.anyOf !== undefined || inner.oneOf !== undefined;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-mono text-xs font-semibold">{name}</span>
        <span className="font-mono text-xs text-muted wrap-anywhere">
          {typeText(document, node)}
          {isNullable(node) ? " or null" : ""}
        </span>
        {!isRequired && <span className="text-xs text-muted">optional</span>}
      </p>
      {node.description !== undefined && <Prose text={node.description} />}
      {hasInner && (
        <div className="mt-1">
          <FieldDetails summary={`Fields of ${name}`} note="">
            <Fields document={document} schema={inner} />
          </FieldDetails>
        </div>
      )}
    </>
  );
}

function FieldDetails({
  summary,
  note,
  children,
}: {
  readonly summary: string;
  readonly note: string;
  readonly children: ReactNode;
}) {
  return (
    <details>
      <summary className="rounded-box py-1 text-accent">
        <span className="font-mono text-xs">{summary}</span>
        {note !== "" && <span className="ml-2 text-xs text-muted">{note}</span>}
      </summary>
      <div className="mt-1 border-l border-line pl-3">{children}</div>
    </details>
  );
}

/** A description as a paragraph. Text between backticks is shown as code. */
export function Prose({ text }: { readonly text: string }) {
  const parts = text.split("`");
  return (
    <p className="text-muted wrap-anywhere">
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          // The key is the position of the word, because the same word may occur twice in a sentence.
          <code
            key={`${parts.slice(0, index).join("`").length}`}
            className="font-mono text-xs text-text"
          >
            {part}
          </code>
        ),
      )}
    </p>
  );
}
