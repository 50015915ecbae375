import type { verifyFr } from "./verify-fr.ts";

export const verifyEn: typeof verifyFr = {
  title: "Verify a statement",
  what: (operator) =>
    `Send a statement that ${operator} has exported (CSV, XLSX or PDF). The file is read and not kept.`,
  file: "The file",
  kept: "Keys or seals that you have kept (optional)",
  keptHint:
    "JSON: the content of cauri-ledger.json, or of your seals. Without them the key that is published at this address decides.",
  submit: "Verify",
  another: "Verify another file",
  home: "Verify a statement",
  states: {
    verified: "Verified",
    rows: "Rows verified, not what the file shows",
    consistent: "Consistent, not authenticated",
    wrong: "Not verified",
  },
  signedHere: (operator, address) =>
    `Signed by ${operator} at ${address}. Compare this address with the one in your browser: a forged file may lead to a forged page.`,
  signedByKept: "Signed with a key that you brought, and in agreement with what you have kept.",
  signedFile: "The signature covers the whole file, byte for byte.",
  signedRows:
    "This file is of an earlier release, which signed the rows and not the file. What a program shows of it was not compared. Ask for a new export.",
  notAuthenticated:
    "The file agrees with itself, but nothing that you brought says whose it is, or none of your seals applies to its days.",
  company: "Account",
  period: "Period (UTC)",
  format: "Format",
  lines: "Lines",
  opening: "Opening balance",
  closing: "Closing balance",
  code: "Verification code",
  key: "Key",
  compare: "Compare these with what the file shows you.",
  row: (row) => `Row ${row} below the header: `,
  problems: {
    changed: "it was changed.",
    removed: "one row or more were removed here.",
    added: "it was added.",
    moved: "it stands in another place.",
    cut: "what follows is missing.",
    untrue: "it contradicts the rest of the file, or a seal is not the operator’s.",
    forked: "a seal that you kept, or one of the file, is of another history.",
    truncated: "the file ends before a seal that you kept.",
    unsigned:
      "The file is not the one that the operator signed. It was changed or saved by another program, a part is missing, or another key has signed it.",
    renamed:
      "The name of the file ends in another format than its content is of. Give it its own name, and verify it again.",
  },
  refused: {
    file: "This file is not a statement as Cauri exports it, or it is damaged.",
    kept: "What you brought is neither keys nor seals.",
    work: "The file is too long for this page. Verify it with the command cauri verify.",
    none: "Choose a file.",
    size: "The file is larger than 10 MB. Verify it with the command cauri verify.",
    busy: "Other files are being verified. Try again in a few seconds.",
  },
};
