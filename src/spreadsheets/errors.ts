import { DomainError } from "../kernel/domain-error.ts";
import { composeSentence, inLanguage, type Sentence } from "../kernel/language.ts";

const namedCharsMax = 100;

/** A file that cannot be read as a table: broken, of another kind, or larger than is read. */
export class UnreadableFile extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "unreadable_file";
  readonly why: Sentence;

  constructor(why: Sentence, options?: ErrorOptions) {
    super(
      composeSentence((language) =>
        language === "en"
          ? `The file cannot be read: ${inLanguage(language, why)}`
          : `Fichier illisible\u00a0: ${inLanguage(language, why)}`,
      ),
      options,
    );
    this.why = why;
  }

  /** What is damaged is named by what the file itself says, which may be long. */
  static broken(what: string, options?: ErrorOptions): UnreadableFile {
    const named = what.slice(0, namedCharsMax);
    return new this(
      {
        en: `it is damaged (${named}). Save it again, or export it as CSV.`,
        fr: `il est endommagé (${named}). Enregistrez-le de nouveau ou exportez-le en CSV.`,
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

  /** More time or memory than one file is given. */
  static tooMuchWork(): UnreadableFile {
    return this.tooLarge({
      en: "reading it takes more time or memory than one file is given",
      fr: "sa lecture demande plus de temps ou de mémoire qu’il n’en est donné à un fichier",
    });
  }

  static tooManyRows(rowsMax: number): UnreadableFile {
    return this.tooLarge({
      en: `it has more than ${rowsMax} rows`,
      fr: `il compte plus de ${rowsMax} lignes`,
    });
  }

  static tooMuchText(textCharsMax: number): UnreadableFile {
    return this.tooLarge({
      en: `its cells hold more than ${textCharsMax} characters together`,
      fr: `ses cellules dépassent ensemble ${textCharsMax} caractères`,
    });
  }

  static tooManyLines(linesMax: number): UnreadableFile {
    return this.tooLarge({
      en: `it has more than ${linesMax} lines, empty ones included`,
      fr: `il compte plus de ${linesMax} lignes, lignes vides comprises`,
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
