import type { SwitchResult } from "@propgate/contract";
import type { ArmedSwitch } from "@propgate/core";

/** The armed dead man's switch as answers show it. */
export type ArmedSwitchView = NonNullable<SwitchResult["cancelAllAfter"]>;

const MS_PER_SECOND = 1_000;

/** The armed dead man's switch in the API's form. @rule D9.cancelAllAfter */
export function armedSwitchView({ atMs, action, spanMs }: ArmedSwitch): ArmedSwitchView {
  return { atMs, seconds: spanMs / MS_PER_SECOND, action };
}
