import { DomainError } from "../kernel/domain-error.ts";
import { composeSentence, inLanguage, type Sentence } from "../kernel/language.ts";

/** A file that cannot be read as a table: broken, of another kind, or larger than is read. */
export class UnreadableFile extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "unreadable_file";

  constructor(why: Sentence, options?: ErrorOptions) {
    super(
      composeSentence((language) =>
        language === "en"
          ? `The file cannot be read: ${inLanguage(language, why)}`
          : `Fichier illisible\u00a0: ${inLanguage(language, why)}`,
      ),
      options,
    );
  }

  static broken(what: string, options?: ErrorOptions): UnreadableFile {
    return new this(
      {
        en: `it is damaged (${what}). Save it again, or export it as CSV.`,
        fr: `il est endommagé (${what}). Enregistrez-le de nouveau ou exportez-le en CSV.`,
      },
      options,
    );
  }

  static tooLarge(what: Sentence): UnreadableFile {
    return new this({
      en: `${what.en}. Split it into several files.`,
      fr: `${what.fr}. Répartissez-le en plusieurs fichiers.`,
    });
  }

  static tooManyRows(rowsMax: number): UnreadableFile {
    return this.tooLarge({
      en: `it has more than ${rowsMax} rows`,
      fr: `il compte plus de ${rowsMax} lignes`,
    });
  }

  static tooManyColumns(line: number, columnsMax: number): UnreadableFile {
    return new this({
      en: `line ${line} has more than ${columnsMax} columns.`,
      fr: `la ligne ${line} compte plus de ${columnsMax} colonnes.`,
    });
  }

  static cellTooLong(line: number, cellCharsMax: number): UnreadableFile {
    return new this({
      en: `a cell of line ${line} is longer than ${cellCharsMax} characters. A quote that is not closed can be the reason.`,
      fr: `une cellule de la ligne ${line} dépasse ${cellCharsMax} caractères. Un guillemet non fermé peut en être la cause.`,
    });
  }
}
