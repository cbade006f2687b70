import type { EvidenceKeys } from "@propgate/access";
import type { AccountId } from "@propgate/core";
import type { JournalDesk } from "@propgate/ledger";
import { canonicalJson, evidenceBody } from "@propgate/wire";
import { type RefusedReply, refused, type StreamReply } from "../json/json-reply.ts";
import { evidencePage } from "./evidence-page.ts";

export interface EvidenceOptions {
  readonly journal: Pick<JournalDesk, "whole">;
  readonly evidence: Pick<EvidenceKeys, "sign">;
}

const NOT_ENDED: RefusedReply = {
  ...refused("The account has not been eliminated, so there is no end to prove", 409),
  code: "not_ended",
};

/**
 * Answers the evidence of an account's end, signed by the installation, as a file or as a page to print.
 * @rule D13.evidence decides
 */
export async function answerEvidence(
  { journal, evidence }: EvidenceOptions,
  account: AccountId,
  format = "json",
): Promise<StreamReply | RefusedReply> {
  if (format !== "json" && format !== "html") {
    return refused(`format: must be one of json, html, not ${JSON.stringify(format)}`, 400);
  }
  const body = evidenceBody(await journal.whole(account));
  if (body === null) return NOT_ENDED;
  const { keyId, value } = await evidence.sign(Buffer.from(canonicalJson(body), "utf8"));
  const signature = { keyId, alg: "Ed25519", value: Buffer.from(value).toString("base64") };
  if (format === "html") return fileOf(evidencePage(body, signature), "text/html; charset=utf-8");
  const name = `evidence-${account}.json`;
  return {
    ...fileOf(`${canonicalJson({ ...body, signature })}\n`, "application/json; charset=utf-8"),
    headers: { "Content-Disposition": `attachment; filename="${name}"` },
  };
}

function fileOf(text: string, type: string): StreamReply {
  return { status: 200, content: onePiece(text), type };
}

async function* onePiece(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, "utf8");
}
