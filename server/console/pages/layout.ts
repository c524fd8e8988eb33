/** One layout for every page of the console. Templates escape every value unless it is markup of this folder. */
import { Eta } from 'eta';
import { visibleText } from '../../telemetry/invisible.ts';

/** Markup that this folder made; anything else is text. */
export interface Markup {
  html: string;
}

const eta = new Eta({ autoEscape: true, autoTrim: false });
const { escapeFunction: escaped } = eta.config;
// Names that an agent made up stand on these pages: one with a hidden character would look like another.
eta.configure({ escapeFunction: (value) => escaped(visibleText(String(value))) });
const compiled = new Map<string, ReturnType<typeof eta.compile>>();

/** Values stand as text: `<%= it.x %>`; `<%~ it.x.html %>` takes markup of this folder. */
export function fill(template: string, values: object): Markup {
  const known = compiled.get(template) ?? eta.compile(template);
  compiled.set(template, known);
  return { html: eta.render(known, values) };
}

/** The text as it is, also what cannot be seen: for the value of a field that is sent again. */
export const exact = (text: string): Markup => ({ html: escaped(text) });

export const join = (parts: readonly Markup[]): Markup => ({ html: parts.map(({ html }) => html).join('') });

/** Who looks, and what every page shows of the router. */
export interface Frame {
  operator: string;
  formToken: string;
  writesStopped: boolean;
  /** Whether a yes needs the password once more. */
  asksPassword: boolean;
  /** Path of the page, to mark it in the navigation. */
  path: string;
  /** Whether a part of the page follows what happens. */
  live?: boolean;
}

const PASSWORD = `<% if (it.asked) { %><label for="password">Your password once more (<%= it.why %>)</label><input type="password" id="password" name="password" autocomplete="current-password"><% } %>`;

/** Cookies know no ports: whoever serves a page on another port of this machine could have been sent the session. */
export const passwordField = ({ asksPassword }: Frame, why: string): Markup =>
  fill(PASSWORD, { asked: asksPassword, why });

const PAGES = [
  ['/approvals', 'Approvals'],
  ['/calls', 'Calls'],
  ['/platforms', 'Platforms'],
  ['/audit', 'Audit'],
  ['/metrics', 'Metrics'],
  ['/find', 'Find'],
] as const;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title><%= it.title %> – router console</title><link rel="stylesheet" href="/style.css"><% if (it.frame && it.frame.live) { %><script src="/live.js" defer></script><% } %></head><body>
<a class="skip" href="#main">Skip to the content</a>
<% if (it.frame) { %><header class="bar"><div><p class="brand">Router console</p><nav aria-label="Pages"><ul><% for (const [path, name] of it.pages) { %><li><a href="<%= path %>"<% if (it.frame.path.startsWith(path)) { %> aria-current="page"<% } %>><%= name %></a></li><% } %></ul></nav>
<form method="post" action="/sign-out"><input type="hidden" name="token" value="<%= it.frame.formToken %>"><span class="who"><%= it.frame.operator %></span> <button>Sign out</button></form></div></header>
<% if (it.frame.writesStopped) { %><p class="stopped" role="status"><strong>All writes are stopped.</strong> <a href="/platforms">Resume them</a></p><% } %><% } %>
<main id="main"<% if (!it.frame) { %> class="narrow"<% } %>><h1><%= it.title %></h1><% if (it.frame && it.frame.live) { %><div id="live" role="status"></div><% } %>
<%~ it.body.html %>
</main></body></html>
`;

/** A whole page; without a frame for whoever is not signed in. */
export const page = (title: string, body: Markup, frame?: Frame): string =>
  fill(PAGE, { title, body, frame, pages: PAGES }).html;
