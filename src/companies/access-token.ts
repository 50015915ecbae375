import { randomBytes } from "node:crypto";
import type { Environment } from "../database/environment.ts";

const prefix = "at_";
const bytes = 32;
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** 32 bytes leave two bits of the last letter unused. Tokens of earlier releases have none of them set. */
const marks: Readonly<Record<Environment, number>> = { staging: 1, production: 2 };
const markMask = 3;

export const accessTokenLength = prefix.length + 43;
export const accessTokenShape = /^at_[A-Za-z0-9_-]{43}$/;

/** Random, and marked with its environment: one that is shown to the other is told apart without being looked up. */
export function newAccessToken(environment: Environment | undefined): string {
  const text = randomBytes(bytes).toString("base64url");
  const mark = environment === undefined ? 0 : marks[environment];
  const last = letters.indexOf(text.at(-1) ?? "") | mark;
  return `${prefix}${text.slice(0, -1)}${letters[last]}`;
}

/** Undefined where a token does not say. */
export function environmentOf(token: string): Environment | undefined {
  const mark = letters.indexOf(token.at(-1) ?? "") & markMask;
  if (mark === marks.staging) return "staging";
  return mark === marks.production ? "production" : undefined;
}
