import type { Preview } from "@propgate/contract";
import { dollars, type LimitAfter, lots, type OrderPreview } from "@propgate/core";
import { bindingCapText, LIMIT_CHECK_WORDS, LOSS_LIMIT_WORDS, ORDER_TYPE_WORDS } from "../wire.ts";
import { fillDifferenceView } from "./fill-difference.ts";

/** The preview of an order in the API's form. @rule D9.preview */
export function previewView(preview: OrderPreview): Preview {
  const { lossIfStopped } = preview;
  return {
    tradePair: preview.pair,
    orderType: ORDER_TYPE_WORDS[preview.direction],
    quantity: lots(preview.quantity),
    value: dollars(preview.value),
    leverage: preview.leverage,
    bindingCap: bindingCapText(preview.bindingCap),
    ...fillDifferenceView(preview),
    price: preview.price,
    slippage: preview.slippage,
    fee: dollars(preview.fee),
    accountLeverageAfter: preview.accountLeverageAfter,
    buyingPowerAfter: dollars(preview.buyingPowerAfter),
    limitsAfter: preview.limitsAfter.map(limitView),
    lossIfStopped: lossIfStopped === null ? null : dollars(lossIfStopped),
    ended: preview.ended,
  };
}

function limitView(after: LimitAfter): Preview["limitsAfter"][number] {
  const { rule, checked, remaining, remainingIfStopped, breachedIfStopped } = after;
  const words = LOSS_LIMIT_WORDS[rule];
  return {
    rule: words.rule,
    limit: words.limit,
    checked: LIMIT_CHECK_WORDS[checked],
    remaining: dollars(remaining),
    remainingIfStopped: remainingIfStopped === null ? null : dollars(remainingIfStopped),
    breachedIfStopped,
  };
}
