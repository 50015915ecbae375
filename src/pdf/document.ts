import { catalogId, infoId, type PdfObject } from "./objects.ts";
import type { Packed } from "./packed.ts";
import { fonts, literal } from "./text.ts";

/** What a document is made of, in the order in which it is made. */
export type DocumentPart =
  | { readonly page: Packed }
  | { readonly attachment: { readonly name: string; readonly content: Packed } };

export interface DocumentFacts {
  readonly title: string;
  readonly language: string;
}

/** A4, upright, in points. */
export const pageSize = { width: 595.28, height: 841.89 };

/** Pages hang on branches of so many, for readers are slow with one list of tens of thousands. */
const branchPages = 500;
const [pagesId, plainId, boldId, firstFreeId] = [3, 4, 5, 6] as const;

/** The objects of a document, part by part. What is kept until the end are the numbers of its pages and attachments. */
export async function* documentObjects(
  facts: DocumentFacts,
  parts: AsyncIterable<DocumentPart>,
): AsyncGenerator<PdfObject> {
  yield fontObject(plainId, "Helvetica");
  yield fontObject(boldId, "Helvetica-Bold");

  let lastId = firstFreeId - 1;
  const nextId = () => (lastId += 1);
  const branches: { readonly id: number; readonly pages: number[] }[] = [];
  const attachments: { readonly id: number; readonly name: string }[] = [];
  for await (const part of parts) {
    if ("attachment" in part) {
      const { name, content } = part.attachment;
      const [contentId, id] = [nextId(), nextId()];
      const params = `/Params<</Size ${content.size}>>`;
      yield {
        id: contentId,
        dictionary: `/Type/EmbeddedFile/Subtype/text#2Fcsv${params}`,
        content: content.bytes,
      };
      yield {
        id,
        dictionary: `/Type/Filespec/F${literal(name)}/UF${literal(name)}/EF<</F ${contentId} 0 R>>/AFRelationship/Data`,
      };
      attachments.push({ id, name });
      continue;
    }
    let branch = branches.at(-1);
    if (branch === undefined || branch.pages.length === branchPages) {
      branch = { id: nextId(), pages: [] };
      branches.push(branch);
    }
    const [contentId, id] = [nextId(), nextId()];
    yield { id: contentId, dictionary: "", content: part.page.bytes };
    yield {
      id,
      dictionary: `/Type/Page/Parent ${branch.id} 0 R/Contents ${contentId} 0 R`,
    };
    branch.pages.push(id);
  }
  yield* treeOf(branches);
  yield { id: infoId, dictionary: `/Title${literal(facts.title)}/Producer(Cauri)` };
  yield { id: catalogId, dictionary: catalog(facts.language, attachments) };
}

function* treeOf(
  branches: readonly { readonly id: number; readonly pages: readonly number[] }[],
): Generator<PdfObject> {
  for (const { id, pages } of branches)
    yield {
      id,
      dictionary: `/Type/Pages/Parent ${pagesId} 0 R/Count ${pages.length}/Kids[${references(pages)}]`,
    };
  const count = branches.reduce((sum, { pages }) => sum + pages.length, 0);
  const resources = `/Resources<</Font<</${fonts.plain} ${plainId} 0 R/${fonts.bold} ${boldId} 0 R>>>>`;
  yield {
    id: pagesId,
    dictionary: `/Type/Pages/Count ${count}/Kids[${references(branches.map(({ id }) => id))}]/MediaBox[0 0 ${pageSize.width} ${pageSize.height}]${resources}`,
  };
}

function catalog(
  language: string,
  attachments: readonly { readonly id: number; readonly name: string }[],
): string {
  const names = attachments.map(({ id, name }) => `${literal(name)} ${id} 0 R`).join(" ");
  const files =
    attachments.length === 0
      ? ""
      : `/Names<</EmbeddedFiles<</Names[${names}]>>>>/AF[${references(attachments.map(({ id }) => id))}]`;
  return `/Type/Catalog/Pages ${pagesId} 0 R/Lang${literal(language)}/ViewerPreferences<</DisplayDocTitle true>>${files}`;
}

function fontObject(id: number, name: string): PdfObject {
  return { id, dictionary: `/Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding` };
}

function references(ids: readonly number[]): string {
  return ids.map((id) => `${id} 0 R`).join(" ");
}
