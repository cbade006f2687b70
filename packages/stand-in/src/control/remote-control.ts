import type { StandInControl } from "./control.ts";

/** Every control call; the server offers these names and no others. */
export const CONTROL_CALLS = [
  "addSubaccount",
  "changeSubaccount",
  "eliminate",
  "setPrices",
  "fillByItself",
  "closeMarket",
  "setCooldown",
  "advance",
  "setSourceName",
  "endDay",
  "addCheckpoint",
  "addDailyReturn",
  "chargeFee",
  "setKeyTier",
  "addFault",
  "clearFaults",
  "release",
  "faults",
  "callCounts",
  "submissions",
  "acceptedOrders",
  "contents",
  "subaccount",
] as const satisfies readonly (keyof StandInControl)[];
export type ControlCall = (typeof CONTROL_CALLS)[number];

/** The controls of a stand-in in another process, by the control URL that it printed. */
export function createRemoteControl(url: string): StandInControl {
  const call =
    (name: ControlCall) =>
    async (...given: readonly unknown[]): Promise<unknown> => {
      const response = await fetch(`${url}/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ given }),
      });
      const answer: { value?: unknown; error?: string } = JSON.parse(await response.text());
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value;
    };
  const calls = Object.fromEntries(CONTROL_CALLS.map((name) => [name, call(name)]));
  return calls as unknown as StandInControl;
}
