import type { Permission } from "../staff/roles.ts";
import type { FrameWords } from "./words/frame.ts";

export interface Section {
  readonly path: string;
  /** One of these is needed; none: everybody who is signed in may open it. */
  readonly may: readonly Permission[];
  readonly word: keyof FrameWords["sections"];
  /** Only for companies that work on behalf of others. */
  readonly isForAggregators?: boolean;
}

/** The navigation, in its order. A section that has no page yet is left out. */
export const sections: readonly Section[] = [
  { path: "/console", may: ["balance.read"], word: "home" },
  { path: "/console/transfers", may: ["transfers.read"], word: "transfers" },
  { path: "/console/payroll", may: ["transfers.propose"], word: "payroll" },
  { path: "/console/approvals", may: ["approvals.decide", "transfers.propose"], word: "approvals" },
  { path: "/console/collections", may: ["charges.read"], word: "collections" },
  { path: "/console/statements", may: ["statements.read"], word: "statements" },
  {
    path: "/console/sub-companies",
    may: ["sub_companies.manage"],
    word: "subCompanies",
    isForAggregators: true,
  },
  {
    path: "/console/developers",
    may: ["keys.manage"],
    word: "developers",
  },
  { path: "/console/team", may: [], word: "team" },
  { path: "/console/trail", may: ["trail.read"], word: "trail" },
];

/** The same for operators, who work for no company. */
export const operatorSections: readonly Section[] = [
  { path: "/console/operations", may: ["operations"], word: "health" },
  { path: "/console/operations/companies", may: ["operations"], word: "companies" },
  { path: "/console/operations/requests", may: ["operations"], word: "requests" },
  { path: "/console/operations/stuck", may: ["operations"], word: "work" },
  { path: "/console/operations/endpoints", may: ["operations"], word: "endpoints" },
  { path: "/console/operations/banner", may: ["operations"], word: "banner" },
];
