import { isOutdatedStatement } from "./errors.ts";

/** A statement that a migration has outdated is sent once more, as if it had never been prepared. */
export async function preparedOrNot<Result>(
  run: (mayPrepare: boolean) => Promise<Result>,
): Promise<Result> {
  try {
    return await run(true);
  } catch (error) {
    if (!isOutdatedStatement(error)) throw error;
    return run(false);
  }
}
