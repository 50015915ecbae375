import { type AccessRequest, requestIdPrefix } from "../../access/request.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { formatShortMoment } from "../../pages/format.ts";
import type { VisitContext } from "../context.ts";
import { Table } from "../views/table.tsx";
import type { AccessWords } from "../words/access.ts";
import { describeRequest } from "./describe-request.ts";

/** What waits for a second owner or the operator, and where it is decided. */
export function RequestTable({
  context,
  words,
  timeZone,
  requests,
  emails,
  companies,
  path,
}: {
  readonly context: VisitContext;
  readonly words: AccessWords;
  readonly timeZone: string;
  readonly requests: readonly AccessRequest[];
  readonly emails: ReadonlyMap<string, string>;
  /** Their names, where requests of several are shown. */
  readonly companies?: ReadonlyMap<string, string>;
  readonly path: string;
}) {
  const { words: frame, href } = context;
  const moment = (at: Date) => formatShortMoment(frame, timeZone, at);
  return (
    <Table
      caption={words.title}
      rows={requests}
      keyOf={({ id }) => id}
      columns={[
        {
          key: "what",
          title: words.what,
          isHead: true,
          cell: (request) => (
            <a href={href(`${path}/${toPublicId(requestIdPrefix, request.id)}`)}>
              {describeRequest(words, frame, emails, request)}
            </a>
          ),
        },
        ...(companies === undefined
          ? []
          : [
              {
                key: "company",
                title: words.company,
                cell: ({ companyId }: AccessRequest) => companies.get(companyId) ?? "",
              },
            ]),
        {
          key: "by",
          title: words.by,
          cell: ({ requestedBy }) => emails.get(requestedBy) ?? words.somebody,
        },
        { key: "at", title: words.at, cell: ({ createdAt }) => moment(createdAt) },
        { key: "until", title: words.until, cell: ({ expiresAt }) => moment(expiresAt) },
      ]}
    />
  );
}
