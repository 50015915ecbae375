import { NoAnswer } from "./errors.ts";

/** What a process of Node.js and a worker of its cluster have in common. */
interface Port {
  send?(message: object, done?: (error: Error | null) => void): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
}

type Message =
  | {
      readonly about: "cauri";
      readonly kind: "tell";
      readonly what: string;
      readonly value: unknown;
    }
  | {
      readonly about: "cauri";
      readonly kind: "ask";
      readonly id: number;
      readonly what: string;
      readonly value: unknown;
    }
  | {
      readonly about: "cauri";
      readonly kind: "answer";
      readonly id: number;
      readonly value: unknown;
    };

type Listener = (value: unknown) => unknown;

const answerLimitMs = 2_000;

/** Words between a process of this node and the one that started it: told, or asked and answered. */
export class Channel {
  readonly #port: Port;
  readonly #listeners = new Map<string, Listener>();
  readonly #questions = new Map<number, (value: unknown) => void>();
  #asked = 0;

  constructor(port: Port) {
    this.#port = port;
    port.on("message", (message) => {
      if (isOurs(message)) this.#hear(message);
    });
  }

  /** What the listener returns is the answer, when it was asked. */
  on(what: string, listener: Listener): void {
    this.#listeners.set(what, listener);
  }

  /** Resolves when it is on its way; whoever is gone hears nothing. */
  tell(what: string, value?: unknown): Promise<void> {
    return this.#send({ about: "cauri", kind: "tell", what, value });
  }

  /** Rejects when no answer comes. */
  ask(what: string, value?: unknown, limitMs = answerLimitMs): Promise<unknown> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#questions.delete(id);
        reject(new NoAnswer(what));
      }, limitMs);
      this.#questions.set(id, (answer) => {
        clearTimeout(timer);
        this.#questions.delete(id);
        resolve(answer);
      });
      void this.#send({ about: "cauri", kind: "ask", id, what, value });
    });
  }

  #hear(message: Message): void {
    if (message.kind === "answer") {
      this.#questions.get(message.id)?.(message.value);
      return;
    }
    const heard = this.#listeners.get(message.what)?.(message.value);
    if (message.kind === "tell") return;
    const { id } = message;
    // Without an answer, whoever asked gives up after a while.
    Promise.resolve(heard).then(
      (value) => this.#send({ about: "cauri", kind: "answer", id, value }),
      () => {},
    );
  }

  #send(message: Message): Promise<void> {
    return new Promise((resolve) => {
      try {
        if (this.#port.send === undefined) resolve();
        else this.#port.send(message, () => resolve());
      } catch {
        // The other end is gone.
        resolve();
      }
    });
  }
}

/** Node.js uses the same way for its own words. */
function isOurs(message: unknown): message is Message {
  return (
    typeof message === "object" &&
    message !== null &&
    (message as { about?: unknown }).about === "cauri"
  );
}
