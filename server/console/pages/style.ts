/** The one style sheet: light and dark, from 390 pixels up, nothing loaded. */
export const STYLE = `:root{color-scheme:light dark;--fg:#1a1d21;--bg:#fff;--soft:#f1f3f5;--line:#868e96;--link:#0b5394;--bad:#a61e1e;--good:#1d6b34}
@media (prefers-color-scheme:dark){:root{--fg:#e9ecef;--bg:#14171b;--soft:#22272d;--line:#868e96;--link:#8fc1ff;--bad:#ff9c9c;--good:#8fdca6}}
*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg)}
main,header{max-width:64rem;margin:0 auto;padding:0 1rem}main{padding-bottom:4rem}a{color:var(--link)}
.skip{position:absolute;left:-100vw}.skip:focus{left:1rem;background:var(--bg);padding:.5rem}
header{display:flex;flex-wrap:wrap;gap:.5rem 1rem;justify-content:space-between;align-items:center;border-bottom:1px solid var(--line)}
header ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:.5rem 0;padding:0}
a[aria-current]{font-weight:700;color:var(--fg)}h1{font-size:1.5rem}h2{font-size:1.2rem}h3{font-size:1rem;margin-bottom:.25rem}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
pre,code,td.raw{font:14px/1.5 ui-monospace,monospace;unicode-bidi:bidi-override;direction:ltr;white-space:pre-wrap;overflow-wrap:anywhere}
pre{background:var(--soft);padding:.75rem;margin:.25rem 0;border-left:3px solid var(--line)}
dl{display:grid;grid-template-columns:minmax(6rem,auto) 1fr;gap:.1rem 1rem}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.25rem .5rem;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
details{border:1px solid var(--line);border-radius:.25rem;padding:.5rem .75rem;margin:.5rem 0}summary{cursor:pointer;overflow-wrap:anywhere}
label{display:block;font-weight:600;margin-top:.75rem}input[type=text],input[type=password],input[type=search],textarea{font:inherit;width:100%;max-width:36rem;padding:.5rem;color:inherit;background:var(--bg);border:1px solid var(--line);border-radius:.25rem}
button{font:inherit;padding:.5rem 1rem;border:1px solid var(--line);border-radius:.25rem;background:var(--soft);color:var(--fg);cursor:pointer;min-height:2.75rem}
button.good{border:2px solid var(--good);color:var(--good)}button.bad{border:2px solid var(--bad);color:var(--bad)}
.row{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1rem}.stopped,.warn{border:2px solid var(--bad);padding:.5rem 1rem;max-width:62rem;margin:1rem auto}
.state{font-weight:700}svg{width:100%;max-width:36rem;height:4rem;background:var(--soft)}svg polyline{fill:none;stroke:var(--link);stroke-width:2;vector-effect:non-scaling-stroke}
`;
