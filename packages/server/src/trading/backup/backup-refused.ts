/** A backup, or the place it should go to, that cannot be used; nothing has been written. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
  /** What to do about it. */
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}
