import { isNonce, receiptNonce } from "@propgate/contract";
import { receiptView } from "@propgate/wire";
import { answerWithData, type Handler, type HandlerOptions, rejectWith } from "../handler.ts";

/** GET receipts/{nonce}: the fate of an order of this key. @rule D9.receipts */
export const getReceipt =
  ({ receipts }: Pick<HandlerOptions, "receipts">): Handler =>
  async ({ keyId, path }) => {
    const nonce = receiptNonce(path);
    if (nonce === null || !isNonce(nonce)) return rejectWith("invalidNonce");
    return answerWithData(receiptView(nonce, await receipts.find({ keyId, nonce })));
  };
