/** What is wrong with a form of somebody's own account, and where. */
export interface AccountProblem {
  readonly field: "current" | "password" | "name" | "code" | "code-password";
  readonly text: string;
  readonly status?: number;
}
