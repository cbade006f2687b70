import { count, object, optional, type Wire } from "../schema.ts";

export const BACK_UP = object("The backup to make.", {
  database: optional(
    count("Number of the database, from 0; required when the service has several databases."),
  ),
});
export type BackUpRequest = Wire<typeof BACK_UP>;
