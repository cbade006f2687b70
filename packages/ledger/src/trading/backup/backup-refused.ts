/** A backup or its target database cannot be used; nothing has been written. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
  /** The message tells the operator which step to take. */
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}
