/** How far something is, as a bar and in words. */
export function Progress({
  label,
  done,
  total,
  text,
}: {
  readonly label: string;
  readonly done: number;
  readonly total: number;
  /** The same in words, with whatever else there is to say. */
  readonly text: string;
}) {
  return (
    <p class="progress">
      <progress aria-label={label} max={Math.max(total, 1)} value={Math.min(done, total)} />{" "}
      <span>{text}</span>
    </p>
  );
}
