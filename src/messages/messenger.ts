/** A short text for one phone. */
interface Message {
  /** Digits, with country code. */
  readonly msisdn: string;
  readonly text: string;
}

export interface Messenger {
  /** True when this phone is not reached, so that a page has to show the code itself, marked as a test. */
  showsCode(msisdn: string): boolean;
  /** False for a test number, which no message is sent to: it is not counted against any budget. */
  costs(msisdn: string): boolean;
  /**
   * Returns when the message was taken on. Throws MessageNotSent when it certainly was not, and
   * MessageOutcomeUnknown when it may still arrive.
   */
  send(message: Message): Promise<void>;
}
