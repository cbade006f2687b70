import type { EvidenceKeys } from "@propgate/access";
import { yieldToEventLoop } from "@propgate/base";
import type { AccountId } from "@propgate/core";
import type { AccountSummary, JournalDesk } from "@propgate/ledger";
import {
  canonicalEvidencePieces,
  canonicalJson,
  EVIDENCE_LINES_MAX,
  type EvidenceBody,
  type ExpensiveReads,
  evidenceSteps,
} from "@propgate/wire";
import {
  type RefusedReply,
  refusedReply,
  type StreamReply,
  wrongFieldReply,
} from "../json/json-reply.ts";
import { renderEvidencePage } from "./evidence-page.ts";

export interface EvidenceOptions {
  readonly journal: Pick<JournalDesk, "readLastLines">;
  readonly evidence: Pick<EvidenceKeys, "sign">;
  /**
   * Evidence reads many lines of the journal and decides them again, so it counts as one of the account's expensive
   * reads.
   */
  readonly expensiveReads: Pick<ExpensiveReads, "begin">;
}

const NOT_ENDED: RefusedReply = {
  ...refusedReply("The account has not been eliminated, so there is no end to prove", 409),
  code: "not_ended",
};

const BUSY: RefusedReply = {
  ...refusedReply("Other reads of this account are under way; try again in a second", 429),
  headers: { "Retry-After": "1" },
};

/**
 * Answers the evidence of an account's elimination, signed by the installation: as a JSON file, or as a page to print.
 * @rule D13.evidence decides
 */
export async function answerEvidence(
  options: EvidenceOptions,
  { accountId, status }: Pick<AccountSummary, "accountId" | "status">,
  format = "json",
  linesMax = EVIDENCE_LINES_MAX,
): Promise<StreamReply | RefusedReply> {
  if (format !== "json" && format !== "html") {
    return wrongFieldReply("format", `must be one of json, html, not ${JSON.stringify(format)}`);
  }
  // An account that is closed may have been eliminated before.
  if (status === "active" || status === "provisioning") return NOT_ENDED;
  const end = await options.expensiveReads.begin(accountId);
  if (end === null) return BUSY;
  try {
    return await signedEvidence(options, accountId, { format, linesMax });
  } finally {
    end();
  }
}

async function signedEvidence(
  { journal, evidence }: EvidenceOptions,
  account: AccountId,
  { format, linesMax }: { readonly format: "json" | "html"; readonly linesMax: number },
): Promise<StreamReply | RefusedReply> {
  const body = await runYielding(evidenceSteps(await journal.readLastLines(account, linesMax)));
  if (body === null) return NOT_ENDED;
  const { signed, signatureAt } = await signedPieces(body);
  const { keyId, value } = await evidence.sign(Buffer.concat(signed));
  const signature = { keyId, alg: "Ed25519", value: Buffer.from(value).toString("base64") };
  if (format === "html") {
    const page = Buffer.from(renderEvidencePage(body, signature), "utf8");
    return { status: 200, content: inPieces([page]), type: "text/html; charset=utf-8" };
  }
  const added = Buffer.from(`,"signature":${canonicalJson(signature)}`, "utf8");
  const pieces = [...signed.slice(0, signatureAt), added, ...signed.slice(signatureAt)];
  return {
    status: 200,
    content: inPieces([...pieces, Buffer.from("\n")]),
    type: "application/json; charset=utf-8",
    headers: { "Content-Disposition": `attachment; filename="evidence-${account}.json"` },
  };
}

/** The chunks to sign, and the index at which the signature is inserted. Yields to the event loop after each chunk. */
async function signedPieces(
  body: EvidenceBody,
): Promise<{ readonly signed: readonly Uint8Array[]; readonly signatureAt: number }> {
  const signed: Uint8Array[] = [];
  let signatureAt = 0;
  for (const { field, text } of canonicalEvidencePieces(body)) {
    signed.push(Buffer.from(text, "utf8"));
    if (field !== null && field < "signature") signatureAt = signed.length;
    await yieldToEventLoop();
  }
  return { signed, signatureAt };
}

/** Runs a generator to its end and yields to the event loop after each step. */
async function runYielding<Made>(steps: Generator<undefined, Made, undefined>): Promise<Made> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await yieldToEventLoop();
  }
}

async function* inPieces(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
