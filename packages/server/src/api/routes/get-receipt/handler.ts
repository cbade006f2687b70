import { isNonce, receiptNonce } from "@propgate/contract";
import { receiptView } from "@propgate/wire";
import { answered, type Handler, type HandlerOptions, rejected } from "../handler.ts";

/** GET receipts/{nonce}: the fate of an order of this key. @rule D9.receipts */
export const getReceipt =
  ({ receipts }: Pick<HandlerOptions, "receipts">): Handler =>
  async ({ keyId, path }) => {
    const nonce = receiptNonce(path);
    if (nonce === null || !isNonce(nonce)) return rejected("invalidNonce");
    return answered(receiptView(nonce, await receipts.find({ keyId, nonce })));
  };
