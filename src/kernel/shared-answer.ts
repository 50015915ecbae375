/**
 * Makes an expensive answer once for everybody who asks while it is being made, and for a while afterwards. At most
 * one is being made at a time; one that failed is not kept.
 */
export function sharedAnswer<Answer>(
  make: () => Promise<Answer>,
  keptMs: number,
): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  return () => {
    if (answer !== undefined) return answer;
    const made = make();
    answer = made;
    const forget = () => {
      answer = undefined;
    };
    made.then(() => void setTimeout(forget, keptMs).unref(), forget);
    return made;
  };
}
