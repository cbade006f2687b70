/** A backup or its target database cannot be used. The database was not written to. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
  /** The step that the operator should take. */
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}
