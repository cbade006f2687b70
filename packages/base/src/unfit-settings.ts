import { CannotStart } from "./cannot-start.ts";

/**
 * The error of settings, or of a file that they name, that do not fit the stored data. A script sees it as a wrong
 * argument.
 */
export class UnfitSettings extends CannotStart {
  override readonly name = "UnfitSettings";
}
