import { minifyStyles } from "../../pages/minify-styles.ts";
import { palette } from "../../pages/palette.ts";

/**
 * The whole look of the pages: no font, no image, no framework. Two sets of colours, each tried against
 * WCAG AA; everything a finger has to hit is at least 44 pixels high.
 */
const css = `${palette}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
h1, h2, p, dl, dd, ul { margin: 0; padding: 0; }
h1 { font-size: 1.375rem; line-height: 1.25; }
h2 { font-size: 1rem; }
a { color: var(--main); }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
.money { display: inline-block; overflow-wrap: normal; }
.codepoint { padding: 0 .25em; border: 1px solid; border-radius: .25rem; color: var(--bad); font-size: .8em; white-space: nowrap; }
.number { font-size: 1.375rem; font-weight: 700; font-variant-numeric: tabular-nums; }
.note { padding: .75rem 1rem; border-radius: .75rem; background: var(--tint); }
pre { margin: 0; white-space: pre-wrap; font: .875rem/1.5 ui-monospace, monospace; padding: .75rem 1rem; border-radius: .75rem; background: var(--ground); }
.test { background: var(--test-tint); color: var(--test); text-align: center; font-size: .875rem; padding: .375rem .75rem; }
main { max-width: 27rem; margin: .5rem .5rem 0; padding: 1.125rem; background: var(--card); border-radius: 1rem; }
main, main > div { display: grid; gap: 1.125rem; align-content: start; overflow-wrap: anywhere; }
.who { display: flex; align-items: center; gap: .75rem; }
.who strong { display: block; font-size: 1.125rem; line-height: 1.25; }
.who span span, .soft { color: var(--soft); font-size: .9375rem; }
.logo {
  flex: none; width: 48px; height: 48px; border-radius: .75rem; object-fit: contain; background: #fff;
  border: 1px solid var(--line);
}
.letters {
  display: grid; place-items: center; border: 0; background: var(--tint); color: var(--main); font-weight: 700;
}
.sum { display: grid; gap: .25rem; }
.amount { font-size: 2rem; font-weight: 750; line-height: 1.1; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
/* Millions still fit a line of 320 pixels. */
.long { font-size: 1.625rem; }
form, .stack { display: grid; gap: .5rem; }
label { font-weight: 650; }
input {
  width: 100%; min-height: 3.25rem; padding: .5rem .875rem; border: 1.5px solid var(--edge); border-radius: .75rem;
  background: var(--card); color: var(--ink); font: inherit; font-size: 1.25rem; font-variant-numeric: tabular-nums;
}
#code { font-size: 1.75rem; letter-spacing: .3em; text-align: center; }
[aria-invalid] { border-color: var(--bad); border-width: 2px; }
button, .button {
  display: flex; width: 100%; min-height: 3.25rem; padding: .625rem 1rem; align-items: center; justify-content: center;
  border: 1.5px solid var(--main); border-radius: .75rem; background: var(--main); color: var(--on-main);
  font: inherit; font-size: 1.0625rem; font-weight: 650; text-align: center; text-decoration: none; cursor: pointer;
}
input[type=file] { font-size: 1rem; padding: .75rem .875rem; }
textarea { width: 100%; padding: .5rem .875rem; border: 1.5px solid var(--edge); border-radius: .75rem; background: var(--card); color: var(--ink); font: .875rem/1.5 ui-monospace, monospace; }
label ~ button { margin-top: .5rem; }
button:disabled { opacity: .65; cursor: default; }
[hidden] { display: none; }
.second { background: none; color: var(--main); }
.quiet { border-color: transparent; background: none; color: var(--main); font-weight: 500; text-decoration: underline; text-underline-offset: .2em; }
.quiet, .row a { min-height: 2.75rem; }
.alert { padding: .875rem 1rem; border-radius: .75rem; background: var(--bad-tint); border-left: 4px solid var(--bad); display: grid; gap: .25rem; }
.alert h1, .alert h2, .bad { color: var(--bad); }
.alert a { color: inherit; }
.bad { font-weight: 600; }
.code-test { padding: .75rem 1rem; border-radius: .75rem; background: var(--test-tint); color: var(--test); margin-bottom: .5rem; }
.code-test b { font-size: 1.25rem; letter-spacing: .15em; }
.rule { border-top: 1px solid var(--line); padding-top: 1.125rem; display: grid; gap: .5rem; }
.done { display: grid; justify-items: center; gap: .5rem; text-align: center; }
.done svg { width: 3.5rem; height: 3.5rem; color: var(--good); }
.done.over svg { color: var(--soft); }
.facts { border-top: 1px solid var(--line); }
.facts div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .625rem 0; border-bottom: 1px solid var(--line); }
.facts dt { color: var(--soft); }
.facts dd { font-weight: 600; font-variant-numeric: tabular-nums; }
.qr { display: none; }
footer { max-width: 27rem; margin: 0 .5rem; padding: 1rem 1.125rem 2rem; color: var(--soft); font-size: .875rem; display: grid; gap: .25rem; overflow-wrap: anywhere; }
footer a { color: inherit; display: inline-flex; align-items: center; min-height: 2.75rem; min-width: 2.75rem; }
.row { display: flex; justify-content: space-between; gap: 1rem; }
.row a { display: flex; align-items: center; }
@media (min-width: 30rem) {
  main { margin: 2rem auto 0; padding: 2rem; }
  footer { margin: 0 auto; padding: 1rem 2rem 2rem; }
  .amount { font-size: 2.75rem; }
  .long { font-size: 2.25rem; }
}
@media (min-width: 52rem) and (hover: hover) and (pointer: fine) {
  .two { max-width: 47rem; grid-template-columns: 1fr 12.5rem; gap: 2.5rem; }
  .qr { display: grid; gap: .5rem; align-content: start; text-align: center; padding-left: 2rem; border-left: 1px solid var(--line); font-size: .9375rem; }
  .qr svg { width: 100%; background: #fff; border-radius: .5rem; }
  .two + footer { max-width: 47rem; }
}
@media print {
  :root { --ground: #fff; --card: #fff; --ink: #000; --soft: #333; }
  main { max-width: none; margin: 0; }
  form, .button, .screen { display: none; }
  .test { border: 2px solid #000; font-weight: 700; }
  footer { max-width: none; margin: 0; }
  footer a { min-height: 0; }
  footer a[href^=http]::after { content: " " attr(href); }
}
`;

const walletCss = `
.entries { list-style: none; border-top: 1px solid var(--line); }
.entries li { display: flex; gap: .75rem; padding: .875rem 0; border-bottom: 1px solid var(--line); }
.entries .logo { width: 40px; height: 40px; background-size: contain; background-position: center; background-repeat: no-repeat; }
.entries div { flex: 1; min-width: 0; }
.entries p { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 .75rem; }
.entries .soft { font-size: .875rem; }
.in { color: var(--good); }
`;

export const styles = minifyStyles(css);
export const walletStyles = minifyStyles(css + walletCss);
