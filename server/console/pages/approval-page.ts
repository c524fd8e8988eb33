/** Approvals: the list, and one with its whole requests, each value exactly as it will be sent. */
import { type Approval, destroyedObjects, objectInList, type ShownRequest, stateOf } from '../../approvals/approval.ts';
import { quoted } from '../../telemetry/invisible.ts';
import { badge } from './badge.ts';
import { changeList } from './change-list.ts';
import { type Frame, fill, join, type Markup, page, passwordField } from './layout.ts';

/** Rows of a list, so that its page stays small. The oldest that wait come first, and the newest that ended. */
export const MOST_WAITING = 75;
export const MOST_ENDED = 40;

const LIST = `<p class="lead" role="status" data-live><%= it.open.length === 0 ? 'Nothing waits' : it.open.length === 1 ? '1 approval waits' : it.open.length + ' approvals wait' %> for an operator.</p><div data-live>
<% for (const [title, rows, most] of [['Waiting', it.open, it.mostWaiting], ['Answered or expired within the last hour', it.past, it.mostEnded]]) { if (rows.length > 0) { %>
<h2><%= title %></h2><div class="wide" tabindex="0" role="region" aria-label="<%= title %>"><table class="stack"><thead><tr><th scope="col">Tool</th><th scope="col">Object</th><th scope="col">State</th><th scope="col">Asked</th><th scope="col" class="num">Requests</th><th scope="col">Asked by</th></tr></thead><tbody>
<% for (const row of rows.slice(0, most)) { %><tr><td><a href="/approvals/<%= row.id %>"><%= row.tool %></a><% if (row.destructive) { %> <%~ it.badge('destructive').html %><% } %></td><td><code><%= row.object %></code></td><td><%~ it.badge(row.state).html %></td><td class="time"><%= row.asked %></td><td class="num"><%= row.count %></td><td><code><%= row.principal %></code></td></tr>
<% } %></tbody></table></div><% if (rows.length > most) { %><p class="note"><%= rows.length - most %> more are not shown here.</p><% } } } %></div>`;

export function approvalListPage(approvals: readonly Approval[], now: number, frame: Frame): string {
  const rows = approvals.map((approval) => ({
    ...approval,
    object: objectInList(approval),
    asked: timeOf(approval.askedAt),
    state: stateOf(approval, now),
    count: approval.requests.length || '',
  }));
  const open = rows.filter(({ state }) => state === 'pending');
  const past = rows.filter(({ state }) => state !== 'pending').reverse();
  return page('Approvals', fill(LIST, { open, past, badge, mostWaiting: MOST_WAITING, mostEnded: MOST_ENDED }), {
    ...frame,
    live: true,
  });
}

const REQUEST = `<h3>What changes</h3><% if (it.notes.length === 0) { %><p>The router could not read the object, so it cannot say.</p><% } else { %><%~ it.changes.html %><% } %>
<h3>What it is for</h3><dl><dt>Tool</dt><dd><%= it.tool %> <%~ it.badge(it.capability).html %></dd><% if (it.documentText) { %><dt>Document text</dt><dd><code><%= it.documentText %></code></dd><% } %>
<dt>Account</dt><dd><code><%= it.account %></code></dd><dt>Host</dt><dd><code data-part="host"><%= it.host %></code></dd>
<dt>Object</dt><dd><code><%= it.quoted(it.object) %></code></dd><dt>Operation</dt><dd><code><%= it.operation %></code></dd></dl>
<h3>Request line</h3><pre data-part="line"><%= it.method %> <%= it.target %></pre>
<h3>Headers</h3><div class="wide" tabindex="0" role="region" aria-label="Headers"><table><tbody><% for (const { name, shown } of it.headers) { %><tr><th scope="row"><%= name %></th><td class="raw" data-header="<%= name %>"><%= shown %></td></tr><% } %></tbody></table></div>
<h3>Body</h3><% if (it.body) { %><p class="note"><%= it.body.contentType %>, <%= it.body.bytes %> bytes<% if (it.body.form === 'json string') { %>, written as a JSON string<% } else if (it.body.form === 'part by part') { %>, part by part<% } %><% if (it.body.masked) { %>, secrets shown as asterisks of their length<% } %></p>
<pre data-part="body" data-form="<%= it.body.form %>" data-type="<%= it.body.contentType %>" tabindex="0" role="region" aria-label="Body"><%= it.body.text %></pre><% } else { %><p data-part="no-body">none</p><% } %>`;

/** Open, so that whoever scrolls to the answer passes everything that it sends. */
const ONE_OF_MANY = `<details open data-request><summary>Request <%= it.at %> of <%= it.of %>: <code><%= it.method %> <%= it.path %></code> (<%= it.capability %>)</summary><%~ it.body.html %></details>`;
const ALONE = `<section class="card" aria-label="The request" data-request><%~ it.body.html %></section>`;

/** Enter in a field presses the first button of its form: it was the no, and is one that is disabled. */
const DETAIL = `<div role="status" data-live><p><span class="state"><%~ it.badge(it.state).html %></span> asked <%= it.asked %> by <code><%= it.approval.principal %></code>, until <%= it.until %>. <% if (it.approval.needed > 1) { %>Needs <%= it.approval.needed %> different operators.<% } %></p>
<% if (it.approval.about) { %><p class="lead"><%= it.approval.about %></p><% } %>
<% for (const one of it.approval.decisions) { %><p><strong><%= one.operator %></strong> said <%= one.verdict %> (<%= one.where %>, <%= it.timeOf(one.at) %>)<% if (one.reason) { %>: <%= one.reason %><% } %></p><% } %></div>
<% if (it.approval.requests.length === 0) { %><p>The requests are no longer kept; the audit log has their digest.</p><% } %>
<%~ it.requests.html %>
<p class="note">Digest of exactly this: <code data-part="digest"><%= it.approval.digest %></code></p>
<div data-live><% if (it.state !== 'pending') { %><p><%~ it.badge(it.state).html %> There is nothing to answer any more.</p><% } else { %><section class="card" aria-labelledby="answer"><h2 id="answer">Your answer</h2><% if (it.own) { %><p class="warn">Your own agent asked for this: another operator has to approve it.</p><% } else if (it.agreed) { %><p class="warn">You have agreed already: another operator has to agree as well. You may still decline it.</p><% } %>
<form method="post" action="/approvals/<%= it.approval.id %>/answer"><input type="hidden" name="token" value="<%= it.formToken %>"><input type="hidden" name="digest" value="<%= it.approval.digest %>"><button hidden disabled>Enter answers nothing</button>
<% it.objects.forEach((object, i) => { %><label for="object<%= i %>">To approve, type the name of what is destroyed, without the quotation marks: <code><%= object %></code></label><input type="text" id="object<%= i %>" name="object" autocomplete="off"><% }) %>
<label for="reason">Reason (kept on record; the agent sees the reason of a decline)</label><input type="text" id="reason" name="reason" maxlength="500" autocomplete="off">
<%~ it.password.html %>
<div class="row answer"><button class="bad" name="verdict" value="decline">Decline</button><button class="good" name="verdict" value="approve">Approve: send exactly this</button></div></form></section><% } %></div>`;

export interface ApprovalPage {
  approval: Approval;
  now: number;
  /** Whether an agent of the operator who looks asked for it. */
  own: boolean;
  /** Whether the operator who looks has said yes, and others are waited for. */
  agreed: boolean;
}

export function approvalPage({ approval, now, own, agreed }: ApprovalPage, frame: Frame): string {
  const body = fill(DETAIL, {
    approval,
    own,
    agreed,
    state: stateOf(approval, now),
    asked: timeOf(approval.askedAt),
    until: timeOf(approval.expiresAt),
    timeOf,
    badge,
    requests: requestsOf(approval.requests),
    objects: destroyedObjects(approval).map(quoted),
    formToken: frame.formToken,
    password: passwordField(frame, 'to approve'),
  });
  return page(`Approval: ${approval.tool}`, body, { ...frame, live: true });
}

function requestsOf(requests: readonly ShownRequest[]): Markup {
  const of = requests.length;
  return join(
    requests.map((request, i) => {
      const { method, path, capability } = request;
      return fill(of === 1 ? ALONE : ONE_OF_MANY, {
        at: i + 1,
        of,
        method,
        path,
        capability,
        body: fill(REQUEST, { ...request, quoted, badge, changes: changeList(request.notes) }),
      });
    }),
  );
}

export const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
