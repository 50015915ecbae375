import { normalized } from "../kernel/normalized.ts";

/**
 * What the lists of leaked passwords are full of, in the words of those who type here: keyboard rows, names, clubs,
 * months, and the word itself. What is made of nothing but these and digits is guessed first.
 */
const commonParts = [
  ..."password passwort motdepasse mdp passe code secret pass admin administrator administrateur root user login".split(
    " ",
  ),
  ..."welcome bienvenue bonjour hello salut soleil chouchou doudou loulou coucou jetaime iloveyou amour love mercidieu".split(
    " ",
  ),
  ..."qwerty qwertyuiop qwertz azerty azertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm qsdfghjklm wxcvbn qazwsx".split(
    " ",
  ),
  ..."abc abcd abcdef abcdefgh aaa xxx test demo temp changeme letmein master monkey dragon football baseball soccer".split(
    " ",
  ),
  ..."superman batman starwars pokemon naruto shadow sunshine princess princesse flower freedom whatever trustno".split(
    " ",
  ),
  ..."michael jordan charlie daniel jessica ashley nicole thomas pierre nicolas camille marine julien".split(
    " ",
  ),
  ..."fatou awa aminata mariama moussa mamadou ibrahima ousmane cheikh khadija oumar modou abdou".split(
    " ",
  ),
  ..."senegal dakar abidjan bamako lome cotonou niamey ouagadougou bissau afrique africa barcelona arsenal chelsea liverpool realmadrid marseille paris".split(
    " ",
  ),
  ..."janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre".split(" "),
  ..."january february march april june july august september october november december".split(" "),
  ..."lundi mardi mercredi jeudi vendredi samedi dimanche monday tuesday wednesday thursday friday saturday sunday".split(
    " ",
  ),
  ..."google facebook whatsapp samsung iphone computer ordinateur internet orange wave cauri banque bank argent money".split(
    " ",
  ),
].toSorted((one, other) => other.length - one.length);

const leastOwnLetters = 4;

/** Letters that are written as other signs, so that a password looks less like what it is. */
const disguises: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "@": "a",
  $: "s",
  "!": "i",
};

/** Whether a password is one of those that are tried first: of common words, repeated signs, or what is known of the person. */
export function isCommonPassword(password: string, email: string): boolean {
  const text = normalized(password, "NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  if (new Set(text).size < 5) return true;
  const own = email.split(/[@.+_-]/).filter((part) => part.length >= 3);
  // The year and the sign at its end are no letters in disguise.
  const signs = Array.from(text);
  const isCore = (sign: string) => /[\p{L}@$]/u.test(sign);
  const core = signs.slice(signs.findIndex(isCore), signs.findLastIndex(isCore) + 1);
  const undisguised = core.map((sign) => disguises[sign] ?? sign).join("");
  return [text, undisguised].some((written) => ownLettersOf(written, own) < leastOwnLetters);
}

/** How many letters are left without what everybody else would write too. */
function ownLettersOf(text: string, own: readonly string[]): number {
  let rest = text;
  for (const part of [...own, ...commonParts]) rest = rest.replaceAll(part, " ");
  return rest.replaceAll(/[^\p{L}]/gu, "").length;
}
