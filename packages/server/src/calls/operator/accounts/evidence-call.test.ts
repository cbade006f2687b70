import { type AccountId, accountId, ownerId } from "@propgate/core";
import {
  canonicalEvidencePieces,
  canonicalJson,
  createExpensiveReads,
  type EvidenceBody,
  verifyEvidence,
} from "@propgate/wire";
import { beforeAll, describe, expect, test } from "vitest";
import { SEED, scaledCount } from "../../../../../../test/environment/depth.ts";
import { createEvidenceKeys } from "../../../../../access/src/keys/evidence-keys.ts";
import { createSecretBox } from "../../../../../access/src/keys/seal-secret.ts";
import { parseMasterKeys } from "../../../../../base/src/keys/master-key.ts";
import { type Chance, createSeededChance } from "../../../../../base/src/random.ts";
import { wireJson } from "../../../../../base/src/wire-json.ts";
import { createJournalDesk } from "../../../../../ledger/src/trading/journal/journal-desk.ts";
import { loadCatalogue } from "../../../../../market/src/catalogue/catalogue.ts";
import {
  type Harness,
  OPERATOR_TOKEN,
  openHarness,
  TEST_MASTER_KEY,
} from "../../../testing/harness.ts";
import { createOperatorClient, type OperatorClient } from "../../../testing/operator-client.ts";
import type { Signer } from "../../../testing/signed-request.ts";
import { answerEvidence } from "../../readings/account-evidence.ts";

const DAY_MS = 86_400_000;
const MARKET = { execution_type: "MARKET" };

let service: Harness;
let operator: OperatorClient;

beforeAll(async () => {
  service = await openHarness();
  operator = createOperatorClient(service);
  return () => service.close();
});

type Evidence = EvidenceBody & {
  readonly signature: { readonly keyId: string; readonly value: string };
};

async function get(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${service.port}${path}`, {
    headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
  });
}

async function evidenceOf(account: string): Promise<string> {
  const reply = await get(`/operator/v1/accounts/${account}/evidence`);
  const text = await reply.text();
  expect([reply.status, reply.status === 200 ? "" : text]).toEqual([200, ""]);
  expect(reply.headers.get("content-disposition")).toContain(`evidence-${account}.json`);
  return text;
}

const keys = async (): Promise<string> => (await get("/api/v1/evidence-keys")).text();

/** Expects the end that GET account shows to be that of the evidence. */
async function expectSameEnd(account: string, { end, quotes }: Evidence): Promise<void> {
  const { rule: _, limitPct: __, ...shown } = end;
  const detail = await operator.data("GET", `/accounts/${account}`);
  // Prices have fewer digits in an answer than in the text that is signed.
  expect(detail.end).toEqual(JSON.parse(wireJson({ ...shown, quotes })));
}

async function trader(): Promise<{ readonly account: AccountId; readonly signer: Signer }> {
  const account = await service.newAccount();
  return { account, signer: await service.newKey({ accountId: account }) };
}

/** Opens an account that a falling price of BTCUSD ends. */
async function breached(): Promise<AccountId> {
  const { account, signer } = await trader();
  await service.quote("BTCUSD", 50_000, 50_010);
  await service.quote("EURUSD", 1.1, 1.1002);
  const orders = [
    { ...MARKET, trade_pair: "BTCUSD", order_type: "LONG", quantity: 2 },
    { ...MARKET, trade_pair: "EURUSD", order_type: "SHORT", quantity: 0.2 },
  ];
  for (const order of orders) expect((await service.order(order, { signer })).status).toBe(200);
  await service.quote("BTCUSD", 47_000.5, 47_010.5);
  return account;
}

function below(chance: Chance, max: number): number {
  const drawn = chance.bytes(4).reduce((all, byte) => all * 256 + byte, 0);
  return (drawn / 2 ** 32) * max;
}

async function randomStep(chance: Chance, signer: Signer): Promise<void> {
  const [btc, eur] = [40_000 + below(chance, 20_000), 1 + below(chance, 0.3)];
  await service.quote("BTCUSD", btc, btc + below(chance, 20));
  await service.quote("EURUSD", eur, eur + below(chance, 0.01));
  const isBitcoin = below(chance, 2) > 1;
  const order = {
    ...MARKET,
    trade_pair: isBitcoin ? "BTCUSD" : "EURUSD",
    order_type: below(chance, 2) > 1 ? "LONG" : "SHORT",
    quantity: Number((0.1 + below(chance, isBitcoin ? 2 : 1)).toFixed(2)),
  };
  await service.order(order, { signer });
  if (below(chance, 3) > 2) await service.pass(DAY_MS / 2);
}

/** Expects the figures to add up in whole micro dollars. */
function expectSum({ figures, end }: Evidence): void {
  const micro = (usd: number | null) => Math.round((usd ?? Number.NaN) * 1e6);
  const sum = figures.positions.reduce((all, one) => all + micro(one.unrealizedPnl), 0);
  expect(micro(figures.equity)).toBe(micro(figures.balance) + sum);
  for (const one of figures.positions) {
    const [entry, mark, rate] = [one.averageEntryPrice, Number(one.mark), Number(one.rate)];
    const byHand = (mark - entry) * one.quantity * one.lot * rate;
    expect(Math.abs(byHand - Number(one.unrealizedPnl))).toBeLessThan(0.000_001);
  }
  if (end.rule === null) return;
  expect(end.equity).toBeLessThan(Number(end.floor));
  expect(micro(figures.floor)).toBe(
    micro(figures.base) - Math.floor((micro(figures.base) * Number(end.limitPct)) / 100),
  );
}

/** Expects the state before the first line to fit the whole journal, and each forgery of the state to be found. */
function expectWhole(
  late: Evidence,
  state: NonNullable<Evidence["state"]>,
  { whole, published }: { readonly whole: Evidence; readonly published: string },
): void {
  const from = late.lines[0]?.sequence ?? 0;
  expect([state.sequence, state.hash]).toEqual([from - 1, whole.lines[from - 2]?.hash]);
  expect(late.explanation.at(-1)).toContain(`the lines from ${from} on`);
  const forgeries: readonly (readonly [string, unknown])[] = [
    ["lines", null],
    ["state", {}],
    ["state", { ...state, account: [] }],
    ["lines", { ...state, sequence: state.sequence + 1 }],
    ["lines", { ...state, hash: "00".repeat(32) }],
    ["state", { ...state, more: 1 }],
  ];
  for (const [part, forgery] of forgeries) {
    const forged = verifyEvidence(JSON.stringify({ ...late, state: forgery }), published);
    expect(forged).toMatchObject({ verdict: "fails", part });
  }
  const account = { ...Object(state.account), openedAtMs: 1 };
  const lied = { ...late, state: { ...state, account } };
  expect(verifyEvidence(JSON.stringify(lied), published).verdict).toBe("fails");
}

describe("the evidence of an end [D13.evidence]", () => {
  test("a breach has its limit, figures and quotes, and holds", async () => {
    const account = await breached();
    const text = await evidenceOf(account);
    const evidence: Evidence = JSON.parse(text);
    expect(evidence).toMatchObject({
      format: "propgate-evidence/1",
      account: { accountId: account },
      end: { rule: "dailyLoss", limit: "dailyLoss", limitPct: 5, floor: 95_000 },
      figures: { base: 100_000, floor: 95_000 },
    });
    expect(evidence.figures.equity).toBe(evidence.end.equity);
    expect(evidence.quotes.map(({ pair, bid }) => [pair, bid])).toContainEqual([
      "BTCUSD",
      47_000.5,
    ]);
    expect(text).toBe(`${canonicalJson(evidence)}\n`);
    const long = { ...evidence, lines: Array(1_000).fill(evidence.lines[0]) };
    const pieces = [...canonicalEvidencePieces(long)].map((piece) => piece.text);
    expect(pieces.join("")).toBe(canonicalJson(long));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(
      canonicalJson(long).length / 5,
    );
    expectSum(evidence);
    await expectSameEnd(account, evidence);
    expect(verifyEvidence(text, await keys())).toMatchObject({
      verdict: "holds",
      lines: evidence.lines.length,
      from: 1,
      keyId: evidence.signature.keyId,
    });
  });

  test("every changed bit is found, and its part is named", async () => {
    const text = await evidenceOf(await breached());
    const published = await keys();
    const chance = createSeededChance(`evidence ${SEED}`);
    const bytes = Buffer.from(text);
    const parts = new Set<string>();
    for (let step = 0; step < scaledCount(1_000); step += 1) {
      const other = Buffer.from(bytes);
      const at = chance.bytes(4).reduce((all, byte) => all * 256 + byte, 0) % (bytes.length - 1);
      other[at] = (other[at] ?? 0) ^ (1 << ((chance.bytes(1)[0] ?? 0) % 8));
      const verdict = verifyEvidence(other.toString("utf8"), published);
      expect([at, verdict.verdict]).not.toEqual([at, "holds"]);
      if (verdict.verdict === "fails") parts.add(verdict.part);
    }
    expect(parts).toContain("lines");
    expect(parts).toContain("documents");
  });

  test("each part that another figure stands in is named", async () => {
    const evidence: Evidence = JSON.parse(await evidenceOf(await breached()));
    const published = await keys();
    const changes: readonly (readonly [string, unknown])[] = [
      ["account", { ...evidence.account, ownerId: "another" }],
      ["program", { ...evidence.program, version: 99 }],
      ["end", { ...evidence.end, equity: 94_999 }],
      ["quotes", []],
      ["figures", { ...evidence.figures, balance: 1 }],
      ["explanation", ["It ended."]],
      ["documents", { ...evidence.documents, ["00".repeat(32)]: "another" }],
      ["lines", evidence.lines.slice(0, -1)],
      ["lines", []],
      ["lines", evidence.lines.toSpliced(2, 1)],
      ["head", { ...evidence.head, sequence: 0 }],
      ["signature", { ...evidence.signature, keyId: "ek_0" }],
      ["signature", null],
      ["more", 1],
    ];
    for (const [part, value] of changes) {
      const verdict = verifyEvidence(JSON.stringify({ ...evidence, [part]: value }), published);
      const named = part === "head" ? "lines" : part;
      expect(verdict).toMatchObject({ verdict: "fails", part: named });
    }
    const other = JSON.stringify(evidence, null, 2);
    expect(verifyEvidence(other, published).verdict).toBe("holds");
    const deep = `{"format":"propgate-evidence/1","state":${"[".repeat(1e5)}${"]".repeat(1e5)}}`;
    for (const text of ["", "{", "[]", "null", '{"format":"x"}', deep]) {
      expect(verifyEvidence(text, published).verdict).toBe("unreadable");
      expect(verifyEvidence(other, text).verdict).toBe("unreadable");
    }
    for (const [text, why] of [
      ["{", "The file is not JSON, or is nested too deeply."],
      [deep, "The file is not JSON, or is nested too deeply."],
      ["[]", "The file is not evidence: it must be a JSON object."],
      ["null", "The file is not evidence: it must be a JSON object."],
    ] as const) {
      expect(verifyEvidence(text, published)).toEqual({ verdict: "unreadable", why });
    }
    const [item] = JSON.parse(published).data;
    expect(verifyEvidence(other, JSON.stringify(item)).verdict).toBe("holds");
  });

  test("the evidence of a long life begins with a later line and the state before it, and holds from there", async () => {
    const chance = createSeededChance(`long life ${SEED}`);
    const { account, signer } = await trader();
    for (let step = 0; step < 25; step += 1) await randomStep(chance, signer);
    await operator.call("POST", `/accounts/${account}/eliminate`, { body: { reason: "by hand" } });
    const whole: Evidence = JSON.parse(await evidenceOf(account));
    expect(whole.state).toBeNull();
    const signing = createEvidenceKeys({
      database: service.database,
      box: createSecretBox(parseMasterKeys(TEST_MASTER_KEY), chance),
      chance,
      clock: service.time.clock,
    });
    const { instruments } = await loadCatalogue(null);
    const options = {
      journal: createJournalDesk(service.database, instruments),
      evidence: signing,
      expensiveReads: createExpensiveReads(service.time.timer),
    };
    const published = await keys();
    const begins = new Set<number>();
    for (const linesMax of [1, 3, 8, 20, whole.lines.length - 1, whole.lines.length]) {
      const entry = { accountId: account, status: "eliminated" } as const;
      const reply = await answerEvidence(options, entry, "json", linesMax);
      if (!("content" in reply)) throw new Error(`no evidence: ${JSON.stringify(reply)}`);
      let text = "";
      for await (const piece of reply.content) text += Buffer.from(piece).toString("utf8");
      const late: Evidence = JSON.parse(text);
      const from = late.lines[0]?.sequence ?? 0;
      begins.add(from);
      expect(late.lines).toEqual(whole.lines.slice(from - 1));
      expect([late.head, late.end, late.figures]).toEqual([whole.head, whole.end, whole.figures]);
      expect(late.lines.length <= linesMax || from <= late.end.sequence).toBe(true);
      const verdict = verifyEvidence(text, published);
      expect(verdict).toMatchObject({ verdict: "holds", from, lines: late.lines.length });
      expect(late.state === null).toBe(from === 1);
      if (late.state !== null) expectWhole(late, late.state, { whole, published });
    }
    expect(begins.size).toBeGreaterThan(1);
  });

  test("the evidence of random ends, at a price or at midnight, holds and adds up", async () => {
    const chance = createSeededChance(`ends ${SEED}`);
    for (let round = 0; round < scaledCount(30, 4); round += 1) {
      const { account, signer } = await trader();
      if (round % 2 === 1) await service.accounts.promote(account);
      for (let step = 0; step < 25; step += 1) await randomStep(chance, signer);
      const reason = { reason: "not ended" };
      await operator.call("POST", `/accounts/${account}/eliminate`, { body: reason });
      const text = await evidenceOf(account);
      const evidence: Evidence = JSON.parse(text);
      expectSum(evidence);
      await expectSameEnd(account, evidence);
      expect(verifyEvidence(text, await keys())).toMatchObject({ verdict: "holds" });
    }
  });

  test("an operator's end and one by inactivity have no limit, and hold", async () => {
    const [{ account: idle, signer }, { account: ended }] = [await trader(), await trader()];
    await service.quote("BTCUSD", 50_000, 50_010);
    const order = { trade_pair: "BTCUSD", order_type: "LONG", quantity: 0.1, limit_price: 10_000 };
    await service.order({ execution_type: "LIMIT", ...order }, { signer });
    await operator.data("POST", `/accounts/${ended}/eliminate`, { reason: "by hand" });
    for (let day = 0; day < 70; day += 1) await service.pass(DAY_MS);
    for (const account of [idle, ended]) {
      const text = await evidenceOf(account);
      const evidence: Evidence = JSON.parse(text);
      expect(evidence.end).toMatchObject({ rule: null, limit: null, equity: null, floor: null });
      expect(evidence.figures).toMatchObject({ base: null, floor: null, positions: [] });
      await expectSameEnd(account, evidence);
      expect(verifyEvidence(text, await keys()).verdict).toBe("holds");
    }
  });

  test("evidence or keys with two fields of one name cannot be read, whichever of them is true", async () => {
    const [text, published] = [await evidenceOf(await breached()), await keys()];
    for (const forged of [
      text.replace('"end":', '"end":{"reason":"never ended"},"end":'),
      text.replace('"balance":', '"balance":1,"balance":'),
      text.replace('"end":', '"\\u0065nd":{},"end":'),
    ]) {
      expect(verifyEvidence(forged, published)).toMatchObject({ verdict: "unreadable" });
    }
    const twoKeys = published.replace('"publicKey":', '"publicKey":"","publicKey":');
    expect(verifyEvidence(text, twoKeys)).toMatchObject({ verdict: "unreadable" });
    const indented = JSON.stringify(JSON.parse(text), null, 2);
    expect(verifyEvidence(indented, published)).toMatchObject({ verdict: "holds" });
  });

  test("evidence of a key that was replaced holds with the published keys [D13.evidenceKeys]", async () => {
    const account = await breached();
    const before = await evidenceOf(account);
    const old = await keys();
    await operator.data("POST", "/keys/rekey", {});
    const after = await evidenceOf(account);
    expect(verifyEvidence(before, await keys()).verdict).toBe("holds");
    expect(verifyEvidence(after, await keys()).verdict).toBe("holds");
    expect(verifyEvidence(after, old)).toMatchObject({ verdict: "fails", part: "signature" });
  });

  test("an account that lives has none, and one that is closed after its end has", async () => {
    const { account } = await trader();
    const { status, body } = await operator.call("GET", `/accounts/${account}/evidence`);
    expect([status, body.code]).toEqual([409, "not_ended"]);
    await operator.data("POST", `/accounts/${account}/close`, {});
    expect((await operator.call("GET", `/accounts/${account}/evidence`)).body.code).toBe(
      "not_ended",
    );
    const unknown = accountId("00000000-0000-4000-8000-000000000000");
    expect(await operator.refusal("GET", `/accounts/${unknown}/evidence`)).toEqual([
      404,
      "Account not found",
    ]);
    const format = await operator.call("GET", `/accounts/${account}/evidence?format=pdf`);
    expect([format.status, format.body.field]).toEqual([400, "format"]);
  });

  test("the page to print shows an operator's reason as text, and the owner gets the same evidence", async () => {
    const { account } = await trader();
    await operator.data("POST", `/accounts/${account}/eliminate`, { reason: "<script>1</script>" });
    const page = await get(`/operator/v1/accounts/${account}/evidence?format=html`);
    expect(page.headers.get("content-type")).toContain("text/html");
    const html = await page.text();
    expect(html).toContain("&lt;script&gt;1&lt;/script&gt;");
    expect(html).not.toContain("<script>");
    const owner = await service.signIn("owner");
    const own = await owner.call("GET", `/accounts/${account}/evidence`);
    expect([own.status, own.text]).toEqual([200, await evidenceOf(account)]);
    const other = await service.signIn("owner", { name: "other", ownerId: ownerId("owner-9") });
    expect(await other.refusal("GET", `/accounts/${account}/evidence`)).toEqual([
      404,
      "Account not found",
    ]);
  });
});
