/** Pages that only show: calls, platforms, audit, metrics, find. */
import type { SwitchState } from '../../approvals/write-switch.ts';
import type { ScoreExplanation, ScorePart } from '../../search/score-explanation.ts';
import type { CallRow, MetricRow } from '../../telemetry/recent-calls.ts';
import type { AuditView, FindView, PlatformRow } from '../console-sources.ts';
import { timeOf } from './approval-page.ts';
import { badge } from './badge.ts';
import { exact, type Frame, fill, type Markup, page, passwordField } from './layout.ts';

const SEARCH = `<form method="get" action="<%= it.action %>" role="search" class="search"><label for="q"><%= it.label %></label><input type="search" id="q" name="q" value="<%~ it.query.html %>" maxlength="200"><button>Search</button></form>`;
const search = (action: string, label: string, query: string) => fill(SEARCH, { action, label, query: exact(query) });

/** Rows of a list, so that its page stays small; a search finds the others. */
const MOST_ROWS = 100;

const CALLS = `<%~ it.search.html %><div data-live><% if (it.rows.length === 0) { %><p>No call since the start of this router<% if (it.query) { %> that fits<% } %>.</p><% } else { %>
<div class="wide" tabindex="0" role="region" aria-label="Latest calls"><table><thead><tr><th scope="col">Ended</th><th scope="col">Tool</th><th scope="col">Class</th><th scope="col">Outcome</th><th scope="col" class="num">ms</th></tr></thead><tbody>
<% for (const row of it.rows.slice(0, it.shown)) { %><tr><td class="time"><%= row.at.slice(0, 19).replace('T', ' ') %></td><td><% if (row.id) { %><a href="/calls/<%= row.id %>"><%= row.tool %></a><% } else { %><%= row.tool %><% } %></td><td><%~ it.badge(row.capability).html %></td><td><%~ it.badge(row.outcome).html %></td><td class="num"><%= row.ms %></td></tr>
<% } %></tbody></table></div><% } %></div><p class="note">Times are UTC. <% if (it.rows.length > it.shown) { %>The newest <%= it.shown %> of <%= it.rows.length %> are shown; search for older ones. <% } %>The latest <%= it.most %> calls of this process are kept; the audit log has those of all.</p>`;

export const callsPage = (rows: readonly CallRow[], query: string, most: number, frame: Frame): string =>
  page(
    'Calls',
    fill(CALLS, {
      badge,
      rows,
      query,
      most,
      shown: MOST_ROWS,
      search: search('/calls', 'Tool, class or outcome', query),
    }),
    { ...frame, live: true },
  );

const PLATFORMS = `<section class="card"><h2>Writes of all routers</h2>
<% if (it.writes && it.writes.writes === 'stopped') { %><p class="warn">Stopped by <%= it.writes.by || 'the router' %> at <%= new Date(it.writes.at).toISOString() %><% if (it.writes.reason) { %>: <%= it.writes.reason %><% } %></p><% } else { %><p>Not stopped: they pass their gates and approvals.</p><% } %>
<form method="post" action="/writes"><input type="hidden" name="token" value="<%= it.formToken %>"><label for="reason">Reason</label><input type="text" id="reason" name="reason" maxlength="500" autocomplete="off">
<% if (it.writes && it.writes.writes === 'stopped') { %><%~ it.password.html %><div class="row"><button class="good" name="writes" value="allowed">Resume writes</button><% } else { %><div class="row"><button class="bad" name="writes" value="stopped">Stop all writes now</button><% } %></div></form></section>
<h2>Platforms</h2><p>Access profile: <%= it.profile %></p><div class="wide" tabindex="0" role="region" aria-label="Platforms"><table><thead><tr><th scope="col">Platform</th><th scope="col">Account</th><th scope="col">Reached</th><th scope="col" class="num">Budget</th><th scope="col">Write gate</th><th scope="col">From</th></tr></thead><tbody>
<% for (const row of it.rows) { %><tr><th scope="row"><%= row.id %></th><td><%~ it.badge(row.configured ? 'complete' : 'missing').html %></td><td><% if (row.last === undefined) { %>not used yet<% } else { %><%~ it.badge(it.reached(row.last.status)).html %> <span class="note"><%= row.last.status ?? 'no answer' %> at <%= it.timeOf(row.last.at) %>, <%= Math.round(row.last.ms) %> ms</span><% } %></td><td class="num"><%= row.ratePerSecond === 0 ? 'no limit' : row.ratePerSecond + ' a second' %></td><td><%~ it.badge(row.gate).html %></td><td><%= row.source %></td></tr>
<% } %></tbody></table></div>`;

/** An answer of any kind means that the platform was reached. */
function reached(status: number | null): string {
  if (status === null || status >= 502) return 'not reachable';
  if (status === 401) return 'login refused';
  return status === 429 ? 'slowed down' : 'reachable';
}

export interface PlatformsPage {
  rows: readonly PlatformRow[];
  profile: string;
  writes: SwitchState | undefined;
}

export const platformsPage = (values: PlatformsPage, frame: Frame): string =>
  page(
    'Platforms',
    fill(PLATFORMS, {
      ...values,
      badge,
      reached,
      timeOf,
      formToken: frame.formToken,
      password: passwordField(frame, 'to resume'),
    }),
    frame,
  );

const AUDIT = `<% if (it.view === undefined) { %><p>There is no audit log: set <code>SVC_MCP_AUDIT_LOG=1</code>.</p><% } else { %><%~ it.search.html %>
<p><% if (it.view.chain === undefined) { %><a class="button" href="/audit?verify=1">Verify the chain</a><% } else { %>Chain: <strong><%= it.view.chain %></strong><% } %></p>
<% if (it.view.rows.length === 0) { %><p>No line<% if (it.query) { %> holds this word<% } %>.</p><% } else { %><div class="wide" tabindex="0" role="region" aria-label="Lines of the audit log"><table><thead><tr><th scope="col" class="num">Line</th><th scope="col">At</th><th scope="col">Kind</th><th scope="col">Tool</th><th scope="col">Who</th><th scope="col">What</th></tr></thead><tbody>
<% for (const row of it.view.rows) { %><tr><td class="num"><%= row.seq %></td><td class="time"><%= row.at.slice(0, 19).replace('T', ' ') %></td><td><%= row.kind %></td><td><%= row.tool %></td><td><%= row.who %></td><td><%= row.what %></td></tr>
<% } %></tbody></table></div><% } %><p class="note">Times are UTC; the newest line is first. <% if (it.view.found > it.view.rows.length) { %>The newest <%= it.view.rows.length %> of <%= it.view.found %> are shown. <% } %>The last 4 MiB of the log are searched; its files have the lines before.</p><% } %>`;

export const auditPage = (view: AuditView | undefined, query: string, frame: Frame): string =>
  page('Audit', fill(AUDIT, { view, query, search: search('/audit', 'Words of a line', query) }), frame);

const METRICS = `<div class="sparks"><% for (const row of it.rows) { %><section class="card"><h2><%= row.name %></h2><p class="big"><%= row.now %> <small><%= row.unit %></small></p>
<svg viewBox="0 0 <%= row.width %> 40" preserveAspectRatio="none" role="img" aria-label="<%= row.name %>, the last <%= row.minutes %> minutes: at least <%= row.least %>, at most <%= row.most %>"><polyline points="<%= row.points %>"/></svg>
<p class="note">least <%= row.least %>, most <%= row.most %> in <%= row.minutes %> minutes</p></section>
<% } %></div><p class="note">Of this process, one value every 10 seconds.</p>`;

export const metricsPage = (rows: readonly MetricRow[], frame: Frame): string =>
  page('Metrics', fill(METRICS, { rows }), frame);

/** Factors of 1 changed nothing. */
const changed = ({ name, value }: ScorePart) => name === 'text' || value.toFixed(2) !== '1.00';

const PARTS = `<table><thead><tr><th scope="col">Part</th><th scope="col" class="num">Value</th><th scope="col">Says</th></tr></thead><tbody>
<% for (const part of it.parts) { %><tr><th scope="row"><%= part.name %></th><td class="num"><%= part.value.toFixed(2) %></td><td><%= part.means %></td></tr>
<% } %></tbody></table>`;

const EXPLAINED = `<details<% if (it.isFirst) { %> open<% } %>><summary>Score <%= it.why.score.toFixed(2) %>: how it is made</summary>
<%~ it.factors.html %><% if (it.text.html) { %><p>text = words × coverage × precision + group:</p><%~ it.text.html %><% } %><p class="note">Class: <%= it.why.capability %></p></details>`;

function explained(why: ScoreExplanation, isFirst: boolean): Markup {
  const table = (parts: readonly ScorePart[]) => (parts.length === 0 ? { html: '' } : fill(PARTS, { parts }));
  return fill(EXPLAINED, { why, isFirst, factors: table(why.factors.filter(changed)), text: table(why.text) });
}

const FIND = `<%~ it.search.html %><% if (it.query) { %><p><%= it.rows.length === 1 ? '1 hit' : it.rows.length + ' hits, the best first' %>, as <code>find_tool</code> ranks them. A score is the product of its factors; those of 1 are left out.</p>
<% if (it.note) { %><p class="warn"><%= it.note %></p><% } %><ol class="hits"><% for (const [i, row] of it.rows.entries()) { %><li><strong><%= row.name %></strong> <%~ it.badge(row.capability).html %> <code><%= row.request %></code><br><%= row.line %><%~ it.explained(row.why, i === 0).html %></li><% } %></ol><% } %>`;

export const findPage = ({ rows, note }: FindView, query: string, frame: Frame): string =>
  page(
    'Find',
    fill(FIND, { rows, note, query, badge, explained, search: search('/find', 'A task in plain words', query) }),
    frame,
  );
