/** Content types of the files of lists and of events, by the value of `format`. */
export const LIST_FILE_TYPES = {
  ndjson: "application/x-ndjson",
  csv: "text/csv; charset=utf-8",
} as const;

export type ListFileFormat = keyof typeof LIST_FILE_TYPES;
