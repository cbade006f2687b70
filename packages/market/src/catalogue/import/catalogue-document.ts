/** The parsed JSON of a valid catalogue, without the classes' defaults merged into its instruments. */
export interface CatalogueDocument {
  readonly classes: Readonly<Record<string, EntryFields>>;
  readonly instruments: readonly EntryFields[];
}

/** The fields of an entry by their names, as the file has them. */
export type EntryFields = Readonly<Record<string, unknown>>;
