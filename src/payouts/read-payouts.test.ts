import { expect, test } from "vitest";
import { countryDefault } from "../kernel/countries.ts";
import { derivedReference } from "./payout.ts";
import { type Draft, readPayouts } from "./read-payouts.ts";

const bom = Buffer.from([0xef, 0xbb, 0xbf]);

test.for([
  ["telephone;montant;reference;motif", "221771234567;25000;r1;Janvier", "fr"],
  ["msisdn,amount,reference,description", "221771234567,25000,r1,Janvier", "en"],
  ["Motif\tRéf.\tMONTANT (F CFA)\tTéléphone", "Janvier\tr1\t25000\t221771234567", "fr"],
  ["Phone number,Ref,Net pay,Memo", "221771234567,r1,25000,Janvier", "en"],
  [
    "matricule;Numéro de téléphone;nom;Salaire net;réference;Libellé",
    "7;221771234567;Awa;25000;r1;Janvier",
    "fr",
  ],
] as const)("headings in any order: %s", async ([header, row, language]) => {
  const draft = await read(`${header}\n${row}\n`);

  expect(draft.findings).toEqual([]);
  expect(draft.columns?.language).toBe(language);
  expect(draft.payouts).toEqual([
    {
      line: 2,
      msisdn: "221771234567",
      amount: 25_000,
      reference: "r1",
      hasOwnReference: true,
      description: "Janvier",
    },
  ]);
});

test("BOM, Windows-1252, CRLF, quoted line ends and empty rows", async () => {
  const text = 'telephone;montant;motif\r\n\r\n221771234567;25000;"Août\r\nprime"\r\n;;\r\n';
  const drafts = [
    await read(Buffer.concat([bom, Buffer.from(text)])),
    await read(Buffer.from(text, "latin1")),
  ];
  for (const { findings, payouts } of drafts) {
    expect(findings).toEqual([]);
    expect(payouts).toMatchObject([{ line: 3, description: "Août\r\nprime" }]);
  }
});

test("a reference that is not given is made from the file and the line, and is the same each time", async () => {
  const text = "telephone;montant;reference\n221771234567;25000;\n221771234568;25000;mine\n";
  const [one, two] = [await read(text), await read(text)];
  const other = await read(text.replace("25000", "25001"));

  expect(one.payouts.map(({ reference }) => reference)).toEqual([
    derivedReference(one.fileHash, 2),
    "mine",
  ]);
  expect(two).toEqual(one);
  expect(other.payouts[0]?.reference).not.toBe(one.payouts[0]?.reference);
});

test("what was completed or interpreted is told, with its line", async () => {
  const draft = await read(
    "telephone;montant\n77 123 45 67;25000\n221771234568;25 000 F CFA\n221771234569;5000\n",
  );

  expect(draft.findings).toEqual([]);
  expect(draft.completedPhones).toEqual({
    count: 1,
    first: [{ line: 2, typed: "77 123 45 67", read: "+221771234567" }],
  });
  expect(draft.readAmounts).toEqual({
    count: 1,
    first: [{ line: 3, typed: "25 000 F CFA", read: "25000" }],
  });
});

test("every bad row is named by its line, and the good ones are read", async () => {
  const draft = await read(
    [
      "telephone;montant;reference;motif",
      "2,21771E+11;25000;a;",
      "221771234567;25.000;b;",
      ";5000;c;",
      "221771234568;;d;",
      "221771234569;5000;e;",
      "221771234570;5000;e;",
      `221771234571;5000;${"x".repeat(256)};`,
      `221771234572;5000;f;${"x".repeat(1001)}`,
      "221771234573;5000;g;janvier;25",
      "12;abc;h;",
    ].join("\n"),
  );

  expect(draft.findings.map(({ line, code }) => [line, code])).toEqual([
    [2, "phone_scientific"],
    [3, "amount_ambiguous"],
    [4, "phone_missing"],
    [5, "amount_missing"],
    [7, "reference_repeated"],
    [8, "reference_too_long"],
    [9, "description_too_long"],
    [10, "too_many_cells"],
    [11, "phone_without_country"],
    [11, "amount_wrong"],
  ]);
  expect(draft.payouts.map(({ line }) => line)).toEqual([6]);
  const [scientific, ambiguous] = draft.findings;
  expect(scientific?.message.en).toContain("Format the column as text");
  expect(ambiguous?.message.en).toBe(
    '"25.000" can mean 25000 or 25. Write it without separators: 25000 if that is meant.',
  );
  expect(ambiguous?.message.fr).toContain("«\u00a025.000\u00a0» peut vouloir dire 25000 ou 25.");
});

test("the same number and amount twice is refused unless both rows say by a reference that they are two", async () => {
  const twice = "telephone;montant;reference\n221771234567;5000;\n77 123 45 67;5000;\n";
  expect((await read(twice)).findings).toMatchObject([{ line: 3, code: "row_repeated" }]);
  expect((await read(twice, true)).payouts).toHaveLength(2);
  const named = twice.replace("5000;\n77", "5000;a\n77").replace(/5000;\n$/, "5000;b\n");
  expect((await read(named)).findings).toEqual([]);
  for (const half of [
    twice.replace("5000;\n77", "5000;a\n77"),
    twice.replace(/5000;\n$/, "5000;b\n"),
  ])
    expect((await read(half)).findings).toMatchObject([{ line: 3, code: "row_repeated" }]);
  const other = twice.replace(/5000;\n$/, "6000;\n");
  expect((await read(other)).findings).toEqual([]);
});

test.for([
  ["nom;montant\nAwa;5000\n", [[1, "column_missing"]]],
  [
    "a;b\n1;2\n",
    [
      [1, "column_missing"],
      [1, "column_missing"],
    ],
  ],
  ["telephone;msisdn;montant\n221771234567;221771234567;5000\n", [[1, "column_twice"]]],
  ["telephone;montant (EUR)\n221771234567;50\n", [[1, "column_missing"]]],
  ["telephone;montant\n", [[null, "no_rows"]]],
  ["", [[null, "no_rows"]]],
] as const)("a file that cannot be paid from: %j", async ([text, expected]) => {
  const draft = await read(text);

  expect(draft.findings.map(({ line, code }) => [line, code])).toEqual(expected);
  expect(draft.payouts).toEqual([]);
});

test("everything that is found is said in French too, and never the same as in English", async () => {
  const { findings } = await read(
    "telephone;montant;reference\n1;25.000;\n;;\nx;1,5;\n9;9 €;\n1;1E5;\n",
  );

  expect(findings.length).toBeGreaterThan(6);
  for (const { message } of findings) expect(message.fr).not.toBe(message.en);
});

function read(file: string | Buffer, allowRepeats = false): Promise<Draft> {
  const bytes = Buffer.from(file);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let from = 0; from < bytes.length; from += 7) yield bytes.subarray(from, from + 7);
  }
  return readPayouts(pieces(), "payroll.csv", { country: countryDefault, allowRepeats });
}
