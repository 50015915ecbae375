/** No font, no picture, no framework. Rows become cards where a table would not fit. */
export const styles = `
:root { --side: max(1rem, calc((100% - 74rem) / 2)); }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
  font: .9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
h1, h2, h3, p, dl, dd, ul, ol, figure { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; }
h2 { font-size: 1.0625rem; line-height: 1.35; }
h3 { font-size: .9375rem; }
h1, h2, .empty p { text-wrap: balance; }
a { color: var(--main); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; border-radius: .25rem; }
input:is([type="date"], [type="month"]):focus-within { outline: 3px solid var(--main); outline-offset: 2px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.codepoint { padding: 0 .25em; border: 1px solid; border-radius: .25rem; color: var(--bad); font-size: .8em; white-space: nowrap; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: .5rem; top: .5rem; padding: .5rem 1rem; background: var(--card); z-index: 2; }
.soft { color: var(--soft); font-size: .875rem; font-weight: 400; }
.bad { color: var(--bad); font-weight: 600; }
.good { color: var(--good); }
.money, .phone, .number { font-variant-numeric: tabular-nums; }
.money { display: inline-block; overflow-wrap: normal; }
.phone { white-space: nowrap; }
code, pre, .code { font: .875rem/1.5 ui-monospace, "Cascadia Mono", Menlo, monospace; }
pre { margin: 0; padding: .75rem 1rem; border-radius: .5rem; background: var(--ground); overflow: auto; white-space: pre-wrap; }

.band { padding: .25rem 1rem; font-size: .75rem; font-weight: 700; letter-spacing: .06em; text-align: center; background: var(--main); color: var(--on-main); }
.band.test {
  color: var(--test); background: repeating-linear-gradient(135deg, var(--test-tint) 0 .75rem, var(--test-band) .75rem 1.5rem);
}
.banner { padding: .625rem var(--side); background: var(--tint); color: var(--ink); box-shadow: inset .375rem 0 var(--main); }
.banner.warning { background: var(--test-tint); color: var(--test); box-shadow: inset .375rem 0 var(--test); }
.banner.outage { background: var(--bad-tint); color: var(--bad); box-shadow: inset .375rem 0 var(--bad); }
.top { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 2rem; padding: .75rem var(--side); background: var(--card); }
.who { display: grid; }
.who strong { font-size: 1.0625rem; }
.balance { text-align: right; }
.balance strong { font-size: 1.125rem; }
.balance .soft { white-space: nowrap; }
nav ul { display: flex; gap: 0 .25rem; list-style: none; overflow-x: auto; scrollbar-width: thin; padding: 0 calc(var(--side) - .625rem); background: var(--card); border-bottom: 1px solid var(--line); }
nav ul a { display: flex; align-items: center; min-height: 2.75rem; padding: 0 .625rem; white-space: nowrap; color: var(--ink); text-decoration: none; border-bottom: 3px solid transparent; }
nav ul a:hover { color: var(--main); }
nav ul a:focus-visible { outline-offset: -3px; }
nav [aria-current="page"] { scroll-initial-target: nearest; }
[aria-current="page"] { font-weight: 650; border-bottom-color: var(--main) !important; }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; padding: 1.25rem 1rem; max-width: 76rem; margin: 0 auto; }
main:focus { outline: none; }
footer { max-width: 76rem; margin: 0 auto; padding: 1rem 1rem 2rem; color: var(--soft); font-size: .875rem; display: grid; gap: .25rem; }
footer a, footer button.quiet { display: inline-flex; align-items: center; min-height: 1.75rem; color: inherit; }
.bare main { max-width: 30rem; margin: 1rem auto 0; padding: 1.5rem 1rem; background: var(--card); border-radius: .75rem; }
.bare footer { max-width: 30rem; }

.card { display: grid; grid-template-columns: minmax(0, 1fr); align-content: start; gap: .75rem; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); }
.head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; }
.stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; }
.notice { padding: .75rem 1rem; border-radius: .5rem; border-left: 4px solid var(--main); background: var(--tint); color: var(--ink); font-weight: 400; display: grid; gap: .25rem; }
.notice.bad { border-color: var(--bad); background: var(--bad-tint); }
.notice.bad h2 { color: var(--bad); }
.notice.warn { border-color: var(--test); background: var(--test-tint); color: var(--test); }
.notice ul, .effects { padding-left: 1.25rem; }
.empty { padding: 2rem 1rem; text-align: center; display: grid; gap: .5rem; justify-items: center; background: var(--card); border: 1px dashed var(--edge); border-radius: .75rem; }
.empty p { max-width: 34rem; color: var(--soft); }

form { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; justify-items: start; }
.field { display: grid; gap: .25rem; width: 100%; max-width: 28rem; }
fieldset { margin: 0; padding: 0; border: 0; display: grid; gap: .5rem; min-width: 0; }
label, legend { font-weight: 600; padding: 0; }
legend { margin-bottom: .375rem; }
.choice { display: flex; gap: .625rem; align-items: flex-start; font-weight: 400; min-height: 1.75rem; }
.choice input { width: 1.25rem; height: 1.25rem; min-height: 0; flex: none; margin: .125rem 0 0; accent-color: var(--main); }
input, select, textarea {
  width: 100%; min-height: 2.5rem; padding: .375rem .625rem; border: 1px solid var(--edge); border-radius: .5rem;
  background: var(--card); color: var(--ink); font: inherit; font-size: 1rem;
}
textarea { min-height: 6rem; }
input[type="file"] { font-size: .9375rem; }
::file-selector-button { margin-right: .625rem; padding: .25rem .625rem; border: 1px solid var(--edge); border-radius: .375rem; background: var(--ground); color: var(--ink); font: inherit; }
input[inputmode="numeric"] { font-variant-numeric: tabular-nums; }
.passkey p:not(:empty) { margin-top: .75rem; }
.one-time { font-size: 1.375rem; letter-spacing: .25em; max-width: 14rem; }
[aria-invalid] { border-color: var(--bad); border-width: 2px; }
.mend { padding: 0 0 .75rem; border-bottom: 1px solid var(--line); width: 100%; }
.mend legend { margin: 0; padding-top: .25rem; }
.mend .bad { font-weight: 500; }
.mend-fields { display: grid; gap: .5rem .75rem; grid-template-columns: repeat(auto-fit, minmax(min(10rem, 100%), 1fr)); }
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem; }
.filters .field { width: auto; min-width: 9rem; flex: 0 1 12rem; }
.filters .field:has([type="search"]) { flex-basis: 28rem; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.5rem; padding: .375rem 1rem;
  border: 1px solid var(--main); border-radius: .5rem; background: var(--main); color: var(--on-main);
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { filter: brightness(1.08); }
.second { background: none; color: var(--main); }
button.danger { background: none; border-color: var(--bad); color: var(--bad); }
button.quiet { background: none; border-color: transparent; padding: 0; color: var(--main); font-weight: 400; text-decoration: underline; min-height: 1.75rem; }
.chips { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; }
.chips a { display: inline-flex; gap: .375rem; align-items: center; min-height: 2rem; padding: 0 .75rem; border-radius: 1rem; background: var(--tint); color: var(--ink); text-decoration: none; }
.pager { display: flex; gap: .75rem; }
.tabs { display: flex; flex-wrap: wrap; gap: 0 1rem; border-bottom: 1px solid var(--line); }
.tabs a { display: inline-flex; align-items: center; min-height: 2.5rem; color: var(--ink); text-decoration: none; border-bottom: 3px solid transparent; }
.status { display: inline-flex; align-items: center; gap: .375rem; font-weight: 600; white-space: nowrap; }
.status svg { flex: none; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.status.good { color: var(--good); }
.status.wait { color: var(--test); }
.status.idle { color: var(--soft); }
.progress { display: grid; gap: .25rem; }
progress { width: 100%; height: .75rem; accent-color: var(--main); }
.secret { padding: .75rem 1rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--ground); font: 1rem/1.6 ui-monospace, Menlo, monospace; user-select: all; }
.qr { width: 12.5rem; max-width: 100%; background: #fff; border-radius: .5rem; }
.share { display: grid; gap: 1rem 1.5rem; grid-template-columns: minmax(0, 1fr); justify-items: center; }
.share > .stack { width: 100%; }
.share .field { max-width: none; }
.printed { display: grid; justify-items: center; gap: 1rem; padding: 1rem; }
.unprinted { width: 100%; max-width: 40rem; display: grid; gap: .5rem; }
.sheet { display: grid; gap: .75rem; justify-items: center; align-content: start; width: 100%; padding: 1.5rem; border: 1px solid #767676; text-align: center; background: #fff; color: #000; }
.sheet svg { width: 100%; max-width: 9cm; }
.sheet.a6 { max-width: 10.5cm; }
.sheet.a4 { max-width: 21cm; font-size: 1.5rem; }
.sheet.a4 svg { max-width: 14cm; }
.sheet .sum { font-size: 2em; font-weight: 700; }
.under { display: block; }
.logo { flex: none; width: 48px; height: 48px; border-radius: .75rem; object-fit: contain; background: #fff; border: 1px solid var(--line); }
.letters { display: grid; place-items: center; border: 0; background: var(--tint); color: var(--main); font-weight: 700; }
.named, .seen { display: flex; align-items: center; gap: .75rem; }
.seen strong, .seen .soft { display: block; }
.seen > .good { margin-left: auto; white-space: nowrap; }
.preview { display: grid; gap: .75rem; align-content: start; padding: 1rem; border: 1px solid var(--line); border-radius: .75rem; }
.codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .25rem 1rem; list-style: none; font: 1rem/1.8 ui-monospace, Menlo, monospace; }

table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
caption { text-align: left; font-weight: 650; padding: .5rem 0; }
th, td { overflow-wrap: break-word; padding: .5rem .75rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-size: .8125rem; font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 600; }
tbody tr:hover { background: var(--tint); }
th.number, td.number { text-align: right; white-space: nowrap; }
td form { display: inline-grid; }
.anywhere { overflow-wrap: anywhere; display: inline-block; min-width: 10.5rem; }
.anywhere.long { min-width: 13rem; }
.moment { white-space: nowrap; }
td.number wbr { display: none; }
.facts { display: grid; }
.facts div { display: grid; grid-template-columns: minmax(7rem, 14rem) minmax(0, 1fr); gap: 0 1rem; padding: .4375rem 0; border-bottom: 1px solid var(--line); }
.facts div:last-child { border-bottom: 0; }
.facts dt { color: var(--soft); }
.facts dd { font-variant-numeric: tabular-nums; }
@media (min-width: 48rem) {
  .share { grid-template-columns: 14rem minmax(0, 1fr); align-items: start; }
}
@media (max-width: 56rem) {
  .balance { text-align: left; }
  table, caption, tbody, tr, td, tbody th { display: block; }
  td, tbody th { overflow-wrap: anywhere; }
  .anywhere, .anywhere.long { display: inline; min-width: 0; }
  td.number wbr { display: inline; }
  table { border: 0; background: none; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { margin-bottom: .75rem; padding: .25rem .75rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
  .card tbody tr { margin: 0; padding: .25rem 0; border-width: 0 0 1px; border-radius: 0; }
  td, td.number { display: flex; justify-content: space-between; gap: .5rem; padding: .375rem 0; text-align: right; white-space: normal; }
  tbody th, th.number { padding: .375rem 0; text-align: left; white-space: normal; }
  .status, .moment { white-space: normal; }
  tr > :last-child { border-bottom: 0; }
  td::before { content: attr(data-title); color: var(--soft); font-weight: 400; text-align: left; flex: none; max-width: 45%; }
  td:empty { display: none; }
  .facts div { grid-template-columns: minmax(0, 1fr); }
}
@media print {
  :root { --ground: #fff; --card: #fff; --ink: #000; --soft: #333; }
  nav, form, .skip, .button, .chips, .unprinted, footer { display: none; }
  .printed { padding: 0; background: #fff; }
  .sheet { border: 0; padding: 0; }
  main { padding: 0; max-width: none; }
  tbody tr { break-inside: avoid; }
}
`;
