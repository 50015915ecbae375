import { accessTokenLength } from "../companies/access-token.ts";

/** Things that are taken for an access token, by how they begin. */
const others: readonly (readonly [start: RegExp, what: string])[] = [
  [
    /^sk_/,
    "That is the secret key (sk_…), which signs notifications. The access token begins with at_.",
  ],
  [/^com_/, "That is the id of a company (com_…). The access token begins with at_."],
  [/^key_/, "That is the id of a key (key_…), which names it. The access token begins with at_."],
  [/^bearer\b/i, "Leave out the word Bearer: the access token alone is wanted."],
  [/^["'`“«]/, "It stands in quotation marks: give the access token without them."],
  [/^eyJ/, "That is a JSON Web Token, of another service. The access token begins with at_."],
];

/** What is wrong with something that was given as an access token, without a character of it: others may read along. */
export function describeWrongToken(given: string): string {
  if (given === "") return "No token was given.";
  const known = others.find(([start]) => start.test(given));
  if (known !== undefined) return known[1];
  const length = `it has ${given.length} characters, and one has ${accessTokenLength}`;
  if (!given.startsWith("at_"))
    return `That is no access token: it does not begin with at_; ${length}.`;
  if (given.length < accessTokenLength)
    return `That is not a whole access token: ${length}. Was its end left out?`;
  if (given.length > accessTokenLength)
    return `That is more than an access token: ${length}. Was something copied along with it?`;
  return "That is no access token: after at_ it has a character that is no letter, digit, - or _.";
}
