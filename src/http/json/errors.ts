import { DomainError } from "../../kernel/domain-error.ts";
import type { Said, Sentence } from "../../kernel/language.ts";

const notJson: Sentence = {
  en: "The body is not valid JSON in UTF-8.",
  fr: "Le corps n’est pas du JSON valable en UTF-8.",
};

export class InvalidJson extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "invalid_json";

  constructor(said: Said = notJson, options?: ErrorOptions) {
    super(said, options);
  }
}

/** What the parser refuses; where it stands is found out afterwards. */
export class NotJson extends InvalidJson {}

/** Of two values under one name, different programs take different ones. */
export class RepeatedName extends InvalidJson {
  constructor() {
    super({
      en: "A name stands twice in one object of the body. Send each name once.",
      fr: "Un nom figure deux fois dans un même objet du corps. Envoyez chaque nom une seule fois.",
    });
  }
}

export class ForbiddenName extends InvalidJson {
  constructor(name: "__proto__" | "prototype") {
    super({
      en: `The body has a field named ${name}, which is not allowed anywhere in it. Rename it.`,
      fr: `Le corps contient un champ nommé ${name}, qui n’y est admis nulle part. Renommez-le.`,
    });
  }
}

export class NumberTooLong extends InvalidJson {
  constructor(charsMax: number) {
    super({
      en: `A number of the body is longer than ${charsMax} characters. Send fewer digits, or send it as text.`,
      fr: `Un nombre du corps dépasse ${charsMax} caractères. Envoyez moins de chiffres, ou envoyez-le comme du texte.`,
    });
  }
}
