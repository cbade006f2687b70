import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  isRecord,
  type JsonSchema,
  openApiDocument,
  operatorOpenApiDocument,
} from "@propgate/contract";

/**
 * Changes the successful answer of a call, which has a name such as `get /api/v1/trading/account`. When it returns
 * undefined, the service rejects the call with the test's text as the error.
 */
export type EditAnswer = (answer: unknown, call: string) => unknown;

/** A service whose answers are made from the published schemas alone. Every text in them is the text of the test. */
export interface MadeService {
  readonly baseUrl: string;
  /** The calls that the service got since `takeCalls` was last called. */
  takeCalls(): readonly string[];
  /** Sets the function that edits every later successful answer. */
  edit(edit: EditAnswer): void;
  close(): void;
}

interface Call {
  readonly name: string;
  readonly method: string;
  readonly path: RegExp;
  readonly schema: unknown;
  readonly schemas: JsonSchema;
}

/** Opens the service. Where a schema requires one of the `formats`, the text given for that format is used instead. */
export async function openMadeService(
  text: string,
  formats: Readonly<Record<string, string>> = {},
): Promise<MadeService> {
  const about = { brand: "Service", networkName: "network", baseUrl: null, hasLinked: false };
  const calls = [openApiDocument(about), operatorOpenApiDocument(about)].flatMap(callsOf);
  let edit: EditAnswer = (answer) => answer;
  const taken: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace(/\?.*/s, "");
    const call = calls.find((one) => one.method === request.method && one.path.test(path));
    taken.push(call?.name ?? `${request.method} ${path}`);
    const answer =
      call && edit(sampleOf(call.schema, { schemas: call.schemas, text, formats }), call.name);
    request.resume().on("end", () => {
      const type = { "Content-Type": "application/json" };
      response.writeHead(answer === undefined ? 400 : 200, type);
      response.end(JSON.stringify(answer === undefined ? { error: text } : answer));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeCalls: () => taken.splice(0),
    edit(next) {
      edit = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The calls of an OpenAPI document. Those without a parameter in their path are first. */
function callsOf({ paths, servers, components }: JsonSchema): readonly Call[] {
  const prefix = String(at(servers, "0", "url")).replace(/\/$/, "");
  const schemas = at(components, "schemas");
  const all = entriesOf(paths).flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, operation]) => ({
      name: `${method} ${prefix}${path}`,
      method: method.toUpperCase(),
      path: new RegExp(`^${prefix}${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      schema: at(operation, "responses", "200", "content", "application/json", "schema"),
      schemas: isRecord(schemas) ? schemas : {},
    })),
  );
  return all.toSorted((a, b) => Number(a.name.includes("{")) - Number(b.name.includes("{")));
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((one, name) => (one as JsonSchema | undefined)?.[name], value);
}

interface Sampling {
  readonly schemas: JsonSchema;
  readonly text: string;
  readonly formats: Readonly<Record<string, string>>;
}

function isNullable(schema: unknown): boolean {
  const [type, shapes] = [at(schema, "type"), at(schema, "anyOf")];
  const isNull = (one: unknown) => at(one, "type") === "null";
  return [type].flat().includes("null") || (Array.isArray(shapes) && shapes.some(isNull));
}

/** A value that the schema allows: it has every field, each list has one item, and no page follows. */
function sampleOf(schema: unknown, given: Sampling): unknown {
  if (!isRecord(schema)) return null;
  const { $ref, const: only, enum: words, anyOf, oneOf, type, properties, items } = schema;
  const { minimum, format } = schema;
  if (typeof $ref === "string") return sampleOf(given.schemas[$ref.split("/").at(-1) ?? ""], given);
  if (only !== undefined) return only;
  if (Array.isArray(words)) return words[0];
  const some = anyOf ?? oneOf;
  if (Array.isArray(some))
    return sampleOf(
      some.find((one) => at(one, "type") !== "null"),
      given,
    );
  const [word] = [type].flat().filter((one) => one !== "null");
  switch (word) {
    case "object":
      return Object.fromEntries(
        entriesOf(properties).map(([name, one]) => [
          name,
          name.startsWith("next") && isNullable(one) ? null : sampleOf(one, given),
        ]),
      );
    case "array":
      return [sampleOf(items, given)];
    case "string":
      return given.formats[String(format)] ?? given.text;
    case "integer":
    case "number":
      return typeof minimum === "number" ? Math.max(minimum, 1) : 1;
    case "boolean":
      return true;
    default:
      return null;
  }
}
