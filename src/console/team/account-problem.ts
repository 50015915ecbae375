/** What is wrong with a form of somebody's own account, and where. */
export interface AccountProblem {
  readonly field: "current" | "password" | "name" | "code";
  readonly text: string;
  readonly status?: number;
}
