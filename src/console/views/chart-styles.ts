/** Charts and the figures above them. */
export const chartStyles = `
.figures { grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr)); }
.figure { gap: .125rem; align-content: start; }
.figure h2 { font-size: .875rem; font-weight: 600; color: var(--soft); }
.large { font-size: 1.5rem; font-weight: 700; line-height: 1.2; letter-spacing: -.01em; font-variant-numeric: tabular-nums; }
.large.main { color: var(--main); }
.tasks { list-style: none; display: grid; gap: .75rem; }
.tasks:empty { display: none; }
.tasks li { padding-left: .75rem; border-left: 3px solid var(--test); }
.steps { list-style: none; display: grid; gap: .75rem; }
.steps .status { white-space: normal; overflow-wrap: anywhere; align-items: flex-start; }
.steps svg { margin-top: .25rem; }
.steps p { padding-left: 1.375rem; }
summary { cursor: pointer; min-height: 1.75rem; }
.switch { display: flex; gap: .25rem; }
.switch a { display: inline-flex; align-items: center; min-height: 2rem; padding: 0 .75rem; border-radius: 1rem; text-decoration: none; color: var(--ink); }
.switch [aria-current] { background: var(--tint); font-weight: 650; }
.charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); align-items: start; }
.chart { display: grid; gap: .5rem; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; min-width: 0; }
.plot { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .25rem .5rem; }
.plot svg { width: 100%; height: 9rem; overflow: visible; }
.plot path { vector-effect: non-scaling-stroke; fill: none; }
.plot .grid { stroke: var(--line); }
.plot .line { stroke: var(--main); stroke-width: 2; stroke-linejoin: round; }
.plot .few { stroke: var(--edge); stroke-dasharray: 4 3; }
.plot .in { fill: var(--main); }
.plot .out { fill: var(--test); }
.scale { display: flex; flex-direction: column; justify-content: space-between; margin: -.5rem 0; text-align: right; }
.scale, .ends, .legend { font-size: .75rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.ends { grid-column: 2; display: flex; justify-content: space-between; }
.legend { display: flex; gap: 1rem; }
.legend .in { color: var(--main); }
.legend .out { color: var(--test); }
.chart-data { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .25rem 1rem; }
.chart-data details { flex: 1; min-width: 0; }
.chart-data summary, .chart-data a { min-height: 1.75rem; cursor: pointer; }
table.plain { display: table; font-size: .8125rem; }
.plain thead { position: static; width: auto; height: auto; clip-path: none; display: table-header-group; }
.plain tbody { display: table-row-group; }
.plain tr, .plain tbody tr { display: table-row; margin: 0; padding: 0; border: 0; }
.plain th, .plain td, .plain td.number, .plain tbody th { display: table-cell; padding: .25rem .5rem; }
.plain td::before, .plain tbody th::before { content: none; }
.plain thead th.number, .plain td.number { text-align: right; }
.plain th { text-align: left; }
.scroll { max-height: 18rem; overflow: auto; margin-top: .5rem; }
`;
