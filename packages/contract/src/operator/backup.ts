import { count, object, optional, type Wire } from "../schema.ts";

export const BACK_UP = object("The backup to make.", {
  database: optional(
    count("The number of the database, from 0; must be given when the service has several."),
  ),
});
export type BackUpRequest = Wire<typeof BACK_UP>;
