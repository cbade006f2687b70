/** Small durable facts by name. */
export interface SettingStore {
  get(name: string): Promise<string | null>;
  /** Durable when it resolves. */
  set(name: string, value: string): Promise<void>;
}
