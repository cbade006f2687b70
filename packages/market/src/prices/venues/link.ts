/** One connection to a venue, or an attempt to make it. */
export interface Link {
  /** Sends a text. A text for a link that has ended is dropped. */
  send(text: string): void;
  /** Ends the link, which then makes no further report. Resolves when its socket is released. */
  close(): Promise<void>;
}

/**
 * Receives the reports of a link: `opened` once, then messages and signs of life, then `ended`. A link that never opens
 * reports only `ended`.
 */
export interface LinkReports<Message> {
  opened(): void;
  /** Reports a message. `bytes` is its size on the wire, or an estimate. */
  message(message: Message, bytes: number): void;
  /** Reports a sign of life without content, such as the answer to a ping. */
  alive(): void;
  /** Reports that the link has failed or the venue has closed it. The reason is for people and has no secrets. */
  ended(reason: string): void;
}

/** Begins one attempt to connect, without waiting for it. An error that it throws counts as `ended`. */
export type OpenLink<Message> = (reports: LinkReports<Message>) => Link;
