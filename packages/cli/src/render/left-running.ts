/** Lines for the switches and orders that still act on accounts whose keys changed; empty when there are none. */
export function runningLines(
  {
    armedSwitches,
    restingOrders,
  }: { readonly armedSwitches: number; readonly restingOrders: number },
  switches: string,
): readonly string[] {
  return [
    ...(armedSwitches === 0 ? [] : [`Dead man's switches ${switches}: ${armedSwitches}`]),
    ...(restingOrders === 0 ? [] : [`Resting orders that still fill: ${restingOrders}`]),
  ];
}
