/** The one style sheet: light and dark, from 390 pixels up, nothing loaded. Every pair of text and ground has a contrast of 4.5 or more. */
export const STYLE = `:root{color-scheme:light dark;--fg:#1b1f24;--muted:#57606a;--bg:#f6f7f9;--card:#fff;--soft:#eef1f4;--line:#d3d9e0;--edge:#7d8792;--link:#0a58a8;--on:#fff;
--bad:#a4161a;--bad-bg:#fdecec;--good:#17653a;--good-bg:#e4f5ea;--wait:#7a4b00;--wait-bg:#fff3d6;--shade:0 1px 2px #1b1f2414}
@media (prefers-color-scheme:dark){:root{--fg:#e6eaef;--muted:#a3adb8;--bg:#14171b;--card:#1c2127;--soft:#262c34;--line:#363e48;--edge:#7d8792;--link:#8cc1ff;--on:#10151b;
--bad:#ffa3a0;--bad-bg:#3a1c1e;--good:#86dba4;--good-bg:#15331f;--wait:#f3c969;--wait-bg:#372b0f;--shade:none}}
*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}
body{margin:0;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;color:var(--fg);background:var(--bg)}
a{color:var(--link);text-underline-offset:.15em}:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:.25rem}
.skip{position:absolute;left:-100vw}.skip:focus{left:1rem;top:.5rem;z-index:2;background:var(--card);padding:.5rem .75rem}
.bar{background:var(--card);border-bottom:1px solid var(--line);box-shadow:var(--shade)}
.bar>div{max-width:76rem;margin:0 auto;padding:0 1rem;display:flex;flex-wrap:wrap;align-items:center;column-gap:1.5rem}
.brand{font-weight:700;margin:.6rem 0}.bar nav{flex:1 1 auto;min-width:0}
.bar ul{display:flex;flex-wrap:wrap;list-style:none;margin:0;padding:0}
.bar li a{display:block;padding:.75rem .7rem;color:var(--muted);text-decoration:none;border-bottom:3px solid transparent}
.bar li a:hover{color:var(--fg);border-color:var(--line)}.bar li a[aria-current]{color:var(--fg);font-weight:600;border-color:var(--link)}
.bar form{display:flex;align-items:center;gap:.75rem;margin:.4rem 0}.bar button{min-height:2.25rem;padding:.25rem .75rem}.who{font-weight:600}
main{max-width:76rem;margin:0 auto;padding:1.25rem 1rem 4rem}main.narrow{max-width:30rem;padding-top:8vh}
h1{font-size:1.6rem;line-height:1.25;margin:.25rem 0 1rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:2rem 0 .6rem}h3{font-size:.95rem;margin:1.25rem 0 .4rem}
p{margin:.5rem 0}.note{color:var(--muted);font-size:.925rem}.lead{font-size:1.05rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem 1.15rem;margin:0 0 1rem;box-shadow:var(--shade)}
.card>:first-child{margin-top:0}.card>:last-child{margin-bottom:0}
pre,code,td.raw{font:.875rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;unicode-bidi:bidi-override;direction:ltr;white-space:pre-wrap;overflow-wrap:anywhere}
pre{background:var(--soft);padding:.75rem .9rem;margin:.25rem 0;border-left:3px solid var(--edge);border-radius:.25rem}
dl{display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.3rem 1.25rem;margin:.25rem 0}dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}
.wide{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:.6rem;margin:.5rem 0;box-shadow:var(--shade)}
table{border-collapse:collapse;width:100%;font-size:.9375rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:.55rem .9rem;border-bottom:1px solid var(--line);overflow-wrap:break-word;min-width:4.5rem;max-width:26rem}td code{overflow-wrap:break-word}
tbody tr:last-child>*{border-bottom:0}thead th{font-size:.8125rem;font-weight:600;color:var(--muted);background:var(--soft);white-space:nowrap}tbody tr:hover{background:var(--soft)}
.num{text-align:right}.time{white-space:nowrap}tbody th{font-weight:600}
.badge{display:inline-block;padding:.05rem .55rem;border-radius:1rem;font-size:.8125rem;font-weight:600;line-height:1.5;white-space:nowrap;background:var(--soft);color:var(--fg);border:1px solid transparent}
.badge.good{background:var(--good-bg);color:var(--good);border-color:var(--good)}.badge.bad{background:var(--bad-bg);color:var(--bad);border-color:var(--bad)}.badge.wait{background:var(--wait-bg);color:var(--wait);border-color:var(--wait)}
.changes{list-style:none;margin:.25rem 0;padding:0}.changes li{padding:.4rem .6rem;border-left:3px solid var(--line);margin:.3rem 0;overflow-wrap:anywhere}
.changes .changed{border-color:var(--wait)}.changes .effect{border-color:var(--bad)}
del,ins{font:inherit;padding:.05rem .3rem;border-radius:.2rem}del{background:var(--bad-bg);color:var(--bad);text-decoration:line-through}ins{background:var(--good-bg);color:var(--good);text-decoration:none;font-weight:600}
details{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.6rem 1rem;margin:.6rem 0}summary{cursor:pointer;overflow-wrap:anywhere;padding:.3rem 0}
label{display:block;font-weight:600;margin:1rem 0 .25rem}
input[type=text],input[type=password],input[type=search]{font:inherit;width:100%;max-width:36rem;min-height:2.75rem;padding:.5rem .75rem;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:.4rem}
button,.button{display:inline-block;font:inherit;font-weight:600;padding:.5rem 1.1rem;border:1px solid var(--edge);border-radius:.4rem;background:var(--card);color:var(--fg);cursor:pointer;min-height:2.75rem;text-decoration:none}
button:hover,.button:hover{background:var(--soft)}button.good{background:var(--good);border-color:var(--good);color:var(--on)}button.bad{border-color:var(--bad);color:var(--bad)}button.good:hover,button.bad:hover{filter:brightness(1.12)}
[hidden]{display:none}
.row{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}.row.answer{gap:2rem}.search{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:end;margin-bottom:1rem}.search label{flex:1 0 100%;margin:0}.search input{flex:1 1 14rem}
.stopped,.warn{border:1px solid var(--bad);border-left-width:5px;background:var(--bad-bg);color:var(--fg);padding:.6rem 1rem;border-radius:.4rem}.stopped{max-width:74rem;margin:1rem auto 0}.warn{margin:1rem 0}
#live{position:sticky;top:0;z-index:1}
.hits{padding-left:1.5rem}.hits li{margin:.75rem 0;overflow-wrap:anywhere}.hits :is(th,td){min-width:0}.hits td{overflow-wrap:anywhere}
.sparks{display:grid;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr));gap:1rem}.sparks h2{margin:0;font-size:1rem}.big{font-size:1.9rem;font-weight:700;line-height:1.2;margin:.35rem 0;font-variant-numeric:tabular-nums}.big small{font-size:.875rem;font-weight:400;color:var(--muted)}
svg{display:block;width:100%;height:4rem;background:var(--soft);border-radius:.3rem}svg polyline{fill:none;stroke:var(--link);stroke-width:2;vector-effect:non-scaling-stroke}
@media (max-width:40rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}th,td{padding:.5rem .65rem}.card{padding:.85rem}h1{font-size:1.3rem}tbody th{min-width:8.5rem}.bar form{flex:1;justify-content:space-between}.bar li a{padding:.6rem .5rem}.stopped{margin:1rem 1rem 0}
.stack :is(tbody,tr,td){display:block}.stack thead{display:none}.stack tr{padding:.5rem 0}.stack tr+tr{border-top:1px solid var(--line)}.stack td{max-width:none;padding:.2rem .65rem;border-bottom:0;text-align:left;overflow-wrap:anywhere}.stack td:is(:empty,:has(>code:empty)){display:none}.stack td+td::before{content:"Object";display:inline-block;min-width:6rem;color:var(--muted)}.stack td:nth-child(3)::before{content:"State"}.stack td:nth-child(4)::before{content:"Asked"}.stack td:nth-child(5)::before{content:"Requests"}.stack td:nth-child(6)::before{content:"Asked by"}}
`;
