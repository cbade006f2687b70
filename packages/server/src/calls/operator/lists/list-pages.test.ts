import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../../testing/harness.ts";
import { createOperatorClient, type OperatorClient } from "../../../testing/operator-client.ts";

let service: Harness;
let operator: OperatorClient;

beforeAll(async () => {
  service = await openHarness();
  operator = createOperatorClient(service);
  for (const name of ["dora", "Anna", "bert"]) await add(name);
  return () => service.close();
});

const add = (name: string) => operator.data("POST", "/people", { name, role: "owner" });

const namesOf = (page: Readonly<Record<string, unknown>>): readonly string[] =>
  (page.items as readonly { readonly name: string }[]).map(({ name }) => name);

async function file(
  query: string,
  path = "people",
): Promise<{ readonly headers: Headers; readonly text: string }> {
  const url = `http://127.0.0.1:${service.port}/operator/v1/${path}?${query}`;
  const reply = await fetch(url, { headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } });
  expect(reply.status).toBe(200);
  return { headers: reply.headers, text: Buffer.from(await reply.arrayBuffer()).toString() };
}

describe("pages of a list", () => {
  test("a walk over pages sees each item once while others are added [D12.listPlace]", async () => {
    const seen: string[] = [];
    let after: string | null = "";
    for (let step = 0; after !== null; step += 1) {
      const at: string = after === "" ? "" : `&after=${after}`;
      const page: Record<string, unknown> = await operator.data(
        "GET",
        `/people?limit=1&sort=name${at}`,
      );
      seen.push(...namesOf(page));
      after = typeof page.next === "string" ? page.next : null;
      // Adds one person whose name comes before the last item of this page, and one whose name comes after it.
      if (step === 1) await Promise.all([add("Abel"), add("carl")]);
    }
    expect(seen).toEqual(["Anna", "bert", "carl", "dora"]);
  });

  test("a place belongs to its filters, its sort and its list [D12.listPlace]", async () => {
    const { next } = await operator.data("GET", "/people?limit=1&sort=name&role=owner");
    const at = (query: string) => operator.call("GET", `/people?after=${String(next)}&${query}`);
    expect((await at("sort=name&role=owner&fields=name&limit=2")).status).toBe(200);
    for (const query of ["sort=-name&role=owner", "sort=name", "sort=name&role=owner&q=a"]) {
      expect((await at(query)).body).toMatchObject({ code: "cursor_mismatch", field: "after" });
    }
    const elsewhere = await operator.call("GET", `/audit?after=${String(next)}`);
    expect(elsewhere.body).toMatchObject({ code: expect.stringMatching(/^cursor_/) });
  });

  test.each([
    "x",
    "W10",
    Buffer.from('["x",{}]').toString("base64url"),
    Buffer.from('["x","a","b","c"]').toString("base64url"),
    Buffer.from("null").toString("base64url"),
    "a".repeat(5_000),
  ])("a text that is no place is refused: %.20s", async (after) => {
    const { status, body } = await operator.call("GET", `/people?after=${after}`);
    expect([status, body.code, body.field]).toEqual([400, "cursor_invalid", "after"]);
  });
});

describe("queries of a list [D12.lists]", () => {
  test.each([
    ["limit=0", "limit", "whole number from 1 to 500"],
    ["limit=501", "limit", "whole number from 1 to 500"],
    ["limit=1e2", "limit", "whole number from 1 to 500"],
    ["format=xml", "format", "one of json, ndjson, csv"],
    ["sort=size", "sort", '"size" is no field'],
    ["sort=--name", "sort", "is no field"],
    ["sort=constructor", "sort", "is no field"],
    ["fields=name,name", "fields", 'names "name" twice'],
    ["fields=name,", "fields", '"" is no field'],
    ["role=admin", "role", '"admin" is none of owner, operator'],
    ["role=owner,", "role", "commas between"],
    ["ownerId=a,null", "ownerId", "stand alone"],
    ["disabledAtMs=5", "disabledAtMs", "use disabledAtMsMin and disabledAtMsMax"],
    ["disabledAtMsMin=null", "disabledAtMsMin", "use disabledAtMs=null"],
    ["createdAtMsMin=1767225600", "createdAtMsMin", "looks like seconds"],
    ["createdAtMsMax=1767225600000000", "createdAtMsMax", "looks like microseconds"],
    ["createdAtMsMax=1767225600000000000", "createdAtMsMax", "looks like nanoseconds"],
    ["createdAtMsMax=12", "createdAtMsMax", "between 2000 and 2100"],
    ["createdAtMsMax=2026-01-01", "createdAtMsMax", "whole Unix milliseconds"],
    ["createdAtMs=5", "createdAtMs", "use createdAtMsMin and createdAtMsMax"],
    ["name=", "name", "is empty"],
    ["name=a&name=b", "name", "given twice"],
    ["name=%00", "name", "control characters"],
    ["q=%00", "q", "control characters"],
    [`q=${"x".repeat(201)}`, "q", "at most 200 characters"],
  ])("GET people?%.40s names the parameter", async (query, field, problem) => {
    const { status, body } = await operator.call("GET", `/people?${query}`);
    expect([status, body.field]).toEqual([400, field]);
    expect(String(body.error)).toMatch(new RegExp(`^${field}: .*${problem}`));
  });

  test("filters, search and sort hold together", async () => {
    const found = (query: string) => operator.data("GET", `/people?${query}`).then(namesOf);
    expect(await found("name=Anna")).toEqual(["Anna"]);
    expect(await found("name=anna")).toEqual([]);
    expect(await found("q=ANN")).toEqual(["Anna"]);
    expect(await found("personId=not-a-uuid")).toEqual([]);
    expect(await found("disabledAtMs=set")).toEqual([]);
    expect((await found("disabledAtMs=null&sort=-name")).at(-1)).toBe("Abel");
    const [first] = (await operator.data("GET", "/people?fields=role,name&limit=1"))
      .items as readonly object[];
    expect(Object.keys(first ?? {})).toEqual(["role", "name"]);
  });
});

describe("files of a list [D12.listFile]", () => {
  test("a CSV file has a header, two columns a time and lines that end with CRLF", async () => {
    const { headers, text } = await file("format=csv&fields=name,createdAtMs&name=Anna");
    const atMs = service.time.clock.now();
    expect(text).toBe(
      `name,createdAt,createdAtMs\r\nAnna,${new Date(atMs).toISOString()},${atMs}\r\n`,
    );
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="people.csv"');
    expect(Number(headers.get("x-as-of-ms"))).toBe(atMs);
  });

  test("a text that a spreadsheet would read as a formula is harmless in CSV, and a list is one cell", async () => {
    const made = await operator.data("POST", "/webhooks", {
      url: "https://example.com/hook",
      label: '=1+1,"x"',
      types: ["order.filled", "order.rejected"],
      enabled: false,
    });
    const fields = "label,types,enabled,parkedLanes,accountId";
    const { text } = await file(`format=csv&fields=${fields}`, "webhooks");
    expect(text).toBe(`${fields}\r\n"'=1+1,""x""",order.filled|order.rejected,false,0,\r\n`);
    const found = await operator.data("GET", "/webhooks?label=%3D1%2B1,%22x%22&fields=id");
    expect(found.items).toEqual([{ id: made.id }]);
    expect((await operator.data("GET", "/webhooks?types=order.filled")).total).toBe(1);
    expect((await operator.data("GET", "/webhooks?types=null")).total).toBe(0);
  });

  test("an empty result is its header, or no line", async () => {
    const none = "name=none&fields=name,disabledAtMs";
    expect((await file(`format=csv&${none}`)).text).toBe("name,disabledAt,disabledAtMs\r\n");
    expect((await file(`format=ndjson&${none}`)).text).toBe("");
  });

  test("a file in JSON lines has all items and ignores the limit and the place", async () => {
    const { text } = await file("format=ndjson&limit=1&after=x&sort=name&fields=name");
    const lines = text.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).name)).toEqual(
      namesOf(await operator.data("GET", "/people?sort=name&limit=500")),
    );
  });
});
