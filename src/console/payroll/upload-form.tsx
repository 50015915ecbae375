import type { ScreenContext } from "../context.ts";
import { Field } from "../views/field.tsx";

/** A file and a button. The address carries the token, so that it is known before the file is read. */
export function UploadForm({
  context: { href, formToken },
  path,
  label,
  hint,
  submit,
  kind,
  fields = {},
}: {
  readonly context: Pick<ScreenContext, "href" | "formToken">;
  readonly path: string;
  readonly label: string;
  readonly hint: string;
  readonly submit: string;
  /** Where another button of the page matters more. */
  readonly kind?: "second";
  readonly fields?: Readonly<Record<string, string>>;
}) {
  return (
    <form
      method="post"
      encType="multipart/form-data"
      action={href(path, { ...fields, token: formToken })}
    >
      <Field id="file" label={label} hint={hint}>
        {(described) => (
          <input
            {...described}
            type="file"
            required
            accept=".csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          />
        )}
      </Field>
      <button class={kind}>{submit}</button>
    </form>
  );
}
