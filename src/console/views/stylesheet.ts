import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { minifyStyles } from "../../pages/minify-styles.ts";
import { palette } from "../../pages/palette.ts";
import { chartStyles } from "./chart-styles.ts";
import { styles } from "./styles.ts";

/** What every page of the console looks like. Its name is its content's: browsers keep it for ever. */
export const stylesheet = minifyStyles(palette + styles + chartStyles);

/** The same for browsers that unpack it, which is all but a few: made once. */
export const packedStylesheet = gzipSync(stylesheet, { level: 9 });

const digest = createHash("sha256").update(stylesheet).digest("hex").slice(0, 16);

export const stylesPath = `/console/assets/${digest}.css`;
