import type { Reading } from "@propgate/ledger";

/** A reading with its value converted by `view`; a failure stays as it is. */
export function mapReading<Value, View>(
  reading: Reading<Value>,
  view: (value: Value) => View,
): Reading<View> {
  return reading.ok ? { ...reading, value: view(reading.value) } : reading;
}
