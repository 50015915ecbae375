/** The colours of every page, in two sets, each tried against WCAG AA. */
export const palette = `
:root {
  color-scheme: light dark;
  --ground: #f3f1ea; --card: #fff; --ink: #1a201d; --soft: #545e58; --line: #dcdad1; --edge: #767e79;
  --main: #0b5d47; --on-main: #fff; --tint: #e6f2ec; --good: #0b6844;
  --bad: #a1221a; --bad-tint: #fdeeec; --test: #5c4300; --test-tint: #fff0c7; --test-band: #ffe6a3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101412; --card: #1a201d; --ink: #edf1ef; --soft: #a9b4ae; --line: #333c38; --edge: #8b958f;
    --main: #63d2a8; --on-main: #06261b; --tint: #1c352b; --good: #74d8a6;
    --bad: #ffa198; --bad-tint: #3a1d1a; --test: #ffdc82; --test-tint: #3a2f10; --test-band: #4a3c14;
  }
}
`;
