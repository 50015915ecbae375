import {
  getDocument,
  type PDFDocumentProxy,
  VerbosityLevel,
} from "pdfjs-dist/legacy/build/pdf.mjs";

/** A PDF as a library that is not ours reads it: the document, and the texts of each page in the order in which they are drawn. */
export async function readPdf(
  bytes: Buffer,
): Promise<{ readonly document: PDFDocumentProxy; readonly pages: readonly string[] }> {
  const data = new Uint8Array(bytes);
  const document = await getDocument({ data, verbosity: VerbosityLevel.ERRORS }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    const texts = items.flatMap((item) =>
      "str" in item ? [item.hasEOL ? `${item.str}\n` : item.str] : [],
    );
    pages.push(texts.join(""));
  }
  return { document, pages };
}
