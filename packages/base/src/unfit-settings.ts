import { CannotStart } from "./cannot-start.ts";

/** The settings, or a file that they name, do not fit the stored data. For a script they are a wrong argument. */
export class UnfitSettings extends CannotStart {
  override readonly name = "UnfitSettings";
}
