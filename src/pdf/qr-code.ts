import { encode } from "uqr";

/** The white border around the code that readers need. */
const quietModules = 2;

/** The instructions that draw a text for a phone's camera, as a square with its lower left corner at this place. */
export function drawQrCode(text: string, x: number, y: number, width: number): string {
  const { data, size } = encode(text, { ecc: "M", border: quietModules });
  const module = width / size;
  const drawn: string[] = [];
  for (const [row, modules] of data.entries())
    for (const [column, isDark] of modules.entries())
      if (isDark) drawn.push(`${column} ${size - 1 - row} 1 1 re`);
  return `q ${module} 0 0 ${module} ${x} ${y} cm ${drawn.join(" ")} f Q\n`;
}
