import { CannotStart } from "./cannot-start.ts";

/**
 * The error when settings, or a file that they name, do not fit the stored data. A command that fails with this error
 * ends with the exit code of a wrong argument.
 */
export class UnfitSettings extends CannotStart {
  override readonly name = "UnfitSettings";
}
