/** One open connection to a venue. */
export interface Link {
  /** Sends text; text for a link that has ended is dropped. */
  send(text: string): void;
  /** Ends the link; it reports nothing afterwards. Resolves when its socket is released. */
  close(): Promise<void>;
}

/** Takes the reports of a link in this order: `opened` once, then messages, then `ended` once. */
export interface LinkReports<Message> {
  opened(): void;
  /** `bytes` is the size of the message on the wire, or an estimate. */
  message(message: Message, bytes: number): void;
  /** A sign of life without content, such as the answer to a ping. */
  alive(): void;
  /** The link failed or was closed by the venue; the reason is for people and has no secrets. */
  ended(reason: string): void;
}

/** Begins one attempt to connect and returns immediately. An error that it throws counts as `ended`. */
export type OpenLink<Message> = (reports: LinkReports<Message>) => Link;
