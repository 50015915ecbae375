import type { Banner } from "../../operations/banner.ts";
import type { FrameWords } from "../words/frame.ts";

/** What the operator has to tell everybody of an incident. */
export function BannerNote({
  words,
  banner,
}: {
  readonly words: FrameWords;
  readonly banner: Banner | undefined;
}) {
  if (banner === undefined) return null;
  return (
    <p class={`banner ${banner.severity}`} role={banner.severity === "outage" ? "alert" : "status"}>
      <strong>{words.severities[banner.severity]}</strong>{" "}
      <span>{words.lang === "fr" ? banner.fr : banner.en}</span>
    </p>
  );
}
