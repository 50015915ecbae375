import { once } from "node:events";
import { createServer, connect as dial, type Server, type Socket } from "node:net";

/**
 * A port that passes everything on to another one of this machine, until it is cut: then nothing arrives any more and nobody is
 * told, as in a network that has fallen apart. Connections that were open stay so and say nothing.
 */
export class Way {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(to: number) {
    this.#server = createServer((near) => {
      this.#keep(near);
      if (this.#isCut) {
        near.pause();
        return;
      }
      const far = dial(to, "127.0.0.1");
      this.#keep(far);
      near.pipe(far);
      far.pipe(near);
      near.once("close", () => far.destroy());
      far.once("close", () => near.destroy());
    });
  }

  static async open(from: number, to: number): Promise<Way> {
    const way = new Way(to);
    way.#server.listen(from, "127.0.0.1");
    await once(way.#server, "listening");
    return way;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) {
      socket.unpipe();
      socket.pause();
    }
  }

  /** What was open before has lost bytes, so it ends; new connections go through. */
  mend(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => this.#sockets.delete(socket));
  }
}
