import { object, time } from "../schema.ts";

const RESTORE_FIELDS = {
  asOfMs: time("When the backup was made. Everything after this time is missing."),
  restoredAtMs: time("When the backup was restored."),
} as const;

export const WAITING_RESTORE = object(
  "A restore that is not confirmed yet. Until then the data can only be read. Null when no restore waits for its confirmation.",
  RESTORE_FIELDS,
);

export const CONFIRMED_RESTORE = object("A confirmed restore.", {
  ...RESTORE_FIELDS,
  confirmedAtMs: time("When the restore was confirmed."),
});
