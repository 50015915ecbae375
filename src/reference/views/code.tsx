import { type SampleLanguage, type Samples, sampleLanguages } from "../samples/samples.ts";
import type { Words } from "../words/fr.ts";

/** The same in every language; the reader's choice at the top of the page decides which is shown. */
export function SampleBlocks(props: {
  readonly words: Words;
  readonly samples: Samples;
  /** Where another program than usual is meant. */
  readonly names?: Partial<Record<SampleLanguage, string>>;
}) {
  const { words, samples, names } = props;
  const languages = Object.entries({ ...sampleLanguages, ...names }) as [SampleLanguage, string][];
  return (
    <>
      {languages.map(([key, name]) => (
        <Code key={key} title={name} label={words.sample(name)} kind={key} text={samples[key]} />
      ))}
    </>
  );
}

interface CodeProps {
  readonly title: string;
  readonly label?: string;
  readonly kind?: string;
  readonly text: string;
}

/** A text to be copied; the button for it is the script's. */
export function Code({ title, label = title, kind = "", text }: CodeProps) {
  return (
    <figure class={`code ${kind}`.trim()}>
      <figcaption aria-label={label}>{title}</figcaption>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
