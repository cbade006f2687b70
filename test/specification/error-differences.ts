import {
  ENDPOINT_NAMES,
  ENDPOINTS,
  type EndpointName,
  ERROR_NAMES,
  ERRORS,
  errorText,
  isRecord,
  type RetryClass,
} from "@propgate/contract";
import { specifiedRequest } from "./additive-parameters.ts";
import { type DocumentRow, type SpecificationDocument, UnknownForm } from "./document.ts";
import { type ProvokedErrors, UPSTREAM_MESSAGE } from "./provoked-errors.ts";
import { type EndpointReply, READ_ENDPOINTS } from "./service-under-test.ts";

const NETWORK = "Propgate";

/** Descriptions that the document has instead of an error text, and for each a check of a text. */
const DESCRIBED_TEXTS: Readonly<Record<string, (text: string) => boolean>> = {
  "a field-specific validation message": (text) => /^'[\w.]+' /.test(text),
  "upstream error message": (text) => text === UPSTREAM_MESSAGE,
};

const RETRIES: Readonly<Record<string, RetryClass>> = {
  "with backoff": "withBackoff",
  "after fixing": "afterFixing",
  "after fixing (fresh nonce)": "afterFixing",
  "do not retry": "never",
};

/**
 * The differences between a row of the table of section 7, the contract's table, and the answers to the row's cause.
 */
export function errorDifferences(
  { cells, line }: DocumentRow,
  provoked: ProvokedErrors,
): readonly string[] {
  const [status = "", text = "", cause = "", retry = ""] = cells;
  const problem = (what: string): string => `line ${line}: ${what}`;
  const replies = provoked.get(cause);
  if (replies === undefined) return [problem(`nothing provokes '${cause}'`)];
  const isText = textCheckOf(text);
  const problems = ERROR_NAMES.some(
    (name) =>
      String(ERRORS[name].status) === status &&
      ERRORS[name].retry === RETRIES[retry] &&
      isText(errorText(name, { networkName: NETWORK, message: exampleOf(text) })),
  )
    ? []
    : [problem(`the contract has no ${status} '${text}' with '${retry}'`)];
  for (const reply of replies) problems.push(...replyProblems(reply, cells, isText).map(problem));
  return problems;
}

function replyProblems(
  reply: EndpointReply,
  [expected = "", text = "", cause = ""]: readonly string[],
  isText: (text: string) => boolean,
): readonly string[] {
  const { endpoint, status, text: sent, headers } = reply;
  const body = reply.json();
  if (!isRecord(body)) return [`${endpoint} answers ${sent}`];
  const answer = `${endpoint} answers ${status} ${sent}`;
  const problems: string[] = [];
  if (String(status) !== expected || !isText(String(body.error))) {
    problems.push(`${answer}, not ${expected} '${text}'`);
  }
  const more = [...cause.matchAll(/response has `(\w+)`/g)].map(([, name]) => name);
  if (Object.keys(body).join() !== ["error", ...more].join())
    problems.push(`${answer}: its fields`);
  const promised = cause.match(/Retry-After|X-RateLimit-\w+/g) ?? [];
  const limits = Object.keys(headers).filter((name) => name.startsWith("x-ratelimit-"));
  const missing = promised.filter((name) => headers[name.toLowerCase()] === undefined);
  const extra = limits.filter((name) => !promised.some((one) => one.toLowerCase() === name));
  if (missing.length + extra.length > 0) problems.push(`${answer}: its headers`);
  return problems;
}

/** A check whether the text of an answer is the one in the document's cell. */
function textCheckOf(cell: string): (text: string) => boolean {
  const described = DESCRIBED_TEXTS[cell];
  if (described !== undefined) return described;
  const quoted = cell.replace(/^`(.*)`$/, "$1").replace("<network>", NETWORK);
  return (text) => text === quoted;
}

function exampleOf(cell: string): string {
  return cell === "upstream error message" ? UPSTREAM_MESSAGE : "'value' must be a number";
}

function joined(statuses: readonly string[]): string {
  return statuses.toSorted((left, right) => Number(left) - Number(right)).join();
}

/**
 * The statuses that the document lists for each endpoint, in ascending order. @throws UnknownForm when it has no such
 * sentence
 */
export function listedStatuses({
  sentences,
}: SpecificationDocument): Readonly<Record<EndpointName, string>> {
  const form =
    /^Statuses per endpoint: GET endpoints can return ([\d, ]+) \(and ([\d, ]+) for payouts\); POST orders can return ([\d, ]+)\.$/;
  const found = sentences.map(({ text }) => form.exec(text)).find((one) => one !== null);
  if (found === undefined || found === null) throw new UnknownForm("no statuses per endpoint");
  const [reads, payouts, orders] = found.slice(1).map((list) => list.split(", "));
  const all = (...lists: readonly (readonly string[] | undefined)[]): string =>
    joined(lists.flatMap((list) => list ?? []));
  const ofReads = Object.fromEntries(READ_ENDPOINTS.map((name) => [name, all(reads)]));
  return {
    ...(ofReads as Record<EndpointName, string>),
    getPayouts: all(reads, payouts),
    placeOrder: all(orders),
  };
}

/**
 * The differences between the statuses that the document lists, those that are published, and those that were answered.
 */
export function statusDifferences(
  document: SpecificationDocument,
  replies: readonly EndpointReply[],
  published: (endpoint: EndpointName) => readonly string[],
): readonly string[] {
  const listed = listedStatuses(document);
  return ENDPOINT_NAMES.flatMap((endpoint) => {
    const came = new Set(
      replies.filter((one) => one.endpoint === endpoint).map((one) => one.status),
    );
    const { isWithout400 } = specifiedRequest(endpoint);
    const specified = (statuses: readonly string[]) =>
      statuses.filter((status) => !(isWithout400 && status === "400"));
    const sets = {
      contract: specified(ENDPOINTS[endpoint].errorStatuses.map(String)),
      OpenAPI: specified(published(endpoint)),
      answers: [...came].map(String).filter((status) => status !== "200"),
    };
    return Object.entries(sets)
      .filter(([, statuses]) => joined(statuses) !== listed[endpoint])
      .map(
        ([where, statuses]) =>
          `${endpoint}: ${statuses.join()} in ${where}, not ${listed[endpoint]}`,
      );
  });
}
