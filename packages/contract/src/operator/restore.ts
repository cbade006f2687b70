import { object, time } from "../schema.ts";

const RESTORE_FIELDS = {
  asOfMs: time("The moment of the backup: everything since then is missing."),
  restoredAtMs: time("When it was restored."),
} as const;

export const WAITING_RESTORE = object(
  "A restore that waits for its confirmation: until then the data may only be read. Null when none waits.",
  RESTORE_FIELDS,
);

export const CONFIRMED_RESTORE = object("A confirmed restore.", {
  ...RESTORE_FIELDS,
  confirmedAtMs: time("When it was confirmed."),
});
