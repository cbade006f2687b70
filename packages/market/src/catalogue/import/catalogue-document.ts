/** The JSON of a valid catalogue. */
export interface CatalogueDocument {
  readonly classes: Readonly<Record<string, Fields>>;
  readonly instruments: readonly Fields[];
}

export type Fields = Readonly<Record<string, unknown>>;
