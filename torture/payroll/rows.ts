import type { Random } from "../random.ts";

/** A row as it stands in the file. */
export interface Row {
  readonly phone: string;
  readonly amount: string;
  readonly reference: string;
  readonly description: string;
}

/** A good row, what it means, and a bad one in its place where there is one. */
export interface Employee {
  readonly msisdn: string;
  readonly amount: number;
  readonly good: Row;
  readonly bad: Row | undefined;
}

const firstMsisdn = 221_770_000_000;
/** Nobody has it. */
const strangers = 221_780_000_000;

/** Ways in which finance staff and their spreadsheets spoil a row. Each is to be found by its line. */
const spoil: readonly ((row: Row, place: number) => Row)[] = [
  (row) => ({ ...row, phone: "2,21771E+11" }),
  (row) => ({ ...row, phone: "" }),
  (row) => ({ ...row, phone: row.phone.slice(0, 6) }),
  (row) => ({ ...row, phone: "voir RH" }),
  (row, place) => ({ ...row, phone: String(strangers + place) }),
  (row) => ({ ...row, amount: "" }),
  (row) => ({ ...row, amount: "25.000" }),
  (row) => ({ ...row, amount: "25000,50" }),
  (row) => ({ ...row, amount: "40 EUR" }),
  (row) => ({ ...row, amount: "4999" }),
  (row) => ({ ...row, amount: "500001" }),
  (row) => ({ ...row, amount: "2,5E+04" }),
  (row) => ({ ...row, reference: "x".repeat(256) }),
  (row) => ({ ...row, description: "x".repeat(1_001) }),
];

/** Everybody has a number of their own, and many an amount that others have too. */
export function makeEmployees(random: Random, count: number, badCount: number): Employee[] {
  const bad = new Set(
    random.shuffle(Array.from({ length: count }, (_, place) => place)).slice(0, badCount),
  );
  return Array.from({ length: count }, (_, place) => {
    const msisdn = String(firstMsisdn + place);
    const amount = random.integer(5, 500) * 1_000;
    const good: Row = {
      phone: random.pick([msisdn, `+${msisdn}`, msisdn.slice(3), spaced(msisdn)]),
      amount: random.pick([String(amount), grouped(amount), `${grouped(amount)} F CFA`]),
      reference: random.pick(["", `paie-${place}`]),
      description: random.pick(["", "Salaire de février", 'Prime; "exceptionnelle"']),
    };
    return {
      msisdn,
      amount,
      good,
      bad: bad.has(place) ? random.pick(spoil)(good, place) : undefined,
    };
  });
}

function spaced(msisdn: string): string {
  return `+${msisdn.slice(0, 3)} ${msisdn.slice(3, 5)} ${msisdn.slice(5, 8)} ${msisdn.slice(8)}`;
}

function grouped(amount: number): string {
  return String(amount).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, "\u202f");
}

export const header = ["Matricule", "Téléphone", "Montant (F CFA)", "Référence", "Motif"] as const;

export function cellsOf({ phone, amount, reference, description }: Row, place: number): string[] {
  return [String(place), phone, amount, reference, description];
}

/** As a spreadsheet saves it in French. */
export function toCsv(rows: readonly Row[]): string {
  const lines = [[...header], ...rows.map(cellsOf)].map((cells) =>
    cells.map((cell) => (/[;"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(";"),
  );
  return `\ufeff${lines.join("\r\n")}\r\n`;
}
