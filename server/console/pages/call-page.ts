/** One call: what was asked, who agreed, what was sent and how it ended. */
import type { TracedCall } from '../../telemetry/recent-calls.ts';
import { timeOf } from './approval-page.ts';
import { badge } from './badge.ts';
import { type Frame, fill, page } from './layout.ts';

const TRACE = `<p><%~ it.badge(it.call.outcome).html %> ended <%= it.call.at.slice(0, 19).replace('T', ' ') %> UTC after <%= it.call.ms %> ms</p>
<section class="card"><h2>Asked</h2><dl><dt>Tool</dt><dd><%= it.call.tool %> <%~ it.badge(it.call.capability).html %></dd><dt>By</dt><dd><code><%= it.call.principal %></code> with <code><%= it.call.dispatcher %></code></dd>
<dt>Arguments</dt><dd><% if (it.call.argumentNames.length === 0) { %>none<% } %><% for (const name of it.call.argumentNames) { %><code><%= name %></code> <% } %></dd><dt>Id</dt><dd><code><%= it.call.id %></code></dd></dl></section>
<section class="card"><h2>Decided</h2><dl><dt>Refused with</dt><dd><% if (it.call.code) { %><code><%= it.call.code %></code><% } else { %>not refused<% } %></dd>
<dt>Approval</dt><dd><% if (it.call.approval) { %>by <strong><%= it.call.approval.answeredBy || 'the plan token' %></strong> (<%= it.call.approval.how %>), <code><%= it.call.approval.id %></code><% } else { %>none<% } %></dd>
<dt>Waited</dt><dd><%= it.call.rateWaitMs %> ms for the rate budget, <%= it.call.retryWaitMs %> ms for a retry</dd></dl></section>
<h2>Sent</h2><% if (it.call.requests.length === 0) { %><p>Nothing was sent to a platform.</p><% } else { %><div class="wide" tabindex="0" role="region" aria-label="Requests that were sent"><table><thead><tr><th scope="col">At</th><th scope="col">Platform</th><th scope="col">Request</th><th scope="col" class="num">Status</th><th scope="col" class="num">ms</th></tr></thead><tbody>
<% for (const one of it.call.requests) { %><tr><td class="time"><%= it.timeOf(one.at) %></td><td><%= one.platform %></td><td><code><%= one.method %> <%= one.path %></code></td><td class="num"><%= one.status ?? 'no answer' %></td><td class="num"><%= Math.round(one.ms) %></td></tr>
<% } %></tbody></table></div><% } %><p class="note">Names of arguments, never their values; requests without query, headers and body; at most 50. <a href="/calls">All calls</a></p>`;

export const callPage = (call: TracedCall, frame: Frame): string =>
  page(`Call: ${call.tool}`, fill(TRACE, { call, badge, timeOf }), frame);
