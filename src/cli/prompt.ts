import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { NobodyToAsk } from "./errors.ts";

/**
 * Asks for a secret at the terminal: what is typed or pasted is not shown. Throws NobodyToAsk, where there is no terminal
 * or whoever sits there ends it.
 */
export async function askSecret(question: string, otherwise: string): Promise<string> {
  if (!process.stdin.isTTY) throw new NobodyToAsk(otherwise);
  // The terminal itself shows nothing while keys are read one by one, and what would show them writes into this.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once("line", resolve);
      terminal.once("SIGINT", () => reject(new NobodyToAsk(otherwise)));
      terminal.once("close", () => reject(new NobodyToAsk(otherwise)));
    });
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}

/** Everything on standard input, up to a limit that nothing meant for it reaches. */
export async function readStandardInput(bytesMax: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += (chunk as Buffer).length;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
