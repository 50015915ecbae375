import type { FastifyRequest } from "fastify";
import { hashToken } from "./credentials.ts";

/** The token that a request carries, and the hash by which it is known. */
export interface PresentedToken {
  readonly token: string;
  readonly hash: string;
}

export function presentedToken(token: string): PresentedToken {
  return { token, hash: hashToken(token) };
}

interface Presented {
  readonly authorization: string;
  readonly token: PresentedToken | undefined;
}

const bearerShape = /^bearer ([^ ]*)$/i;
/** More than a good token needs: what a stranger writes there is not kept for as long as he stays connected. */
const rememberedMax = 100;

/**
 * What requests carry as their token. The next request of a connection nearly always carries what the last one did, so
 * each connection remembers that, and it is read and hashed once. Whether it is good is asked every time.
 */
export class ConnectionTokens {
  readonly #last = new WeakMap<object, Presented>();

  read(request: FastifyRequest): PresentedToken | undefined {
    const { authorization } = request.headers;
    if (authorization === undefined) return undefined;
    const { socket } = request.raw;
    const last = this.#last.get(socket);
    if (last?.authorization === authorization) return last.token;
    const [, token] = bearerShape.exec(authorization) ?? [];
    const read = token === undefined ? undefined : presentedToken(token);
    if (authorization.length <= rememberedMax)
      this.#last.set(socket, { authorization, token: read });
    return read;
  }
}
