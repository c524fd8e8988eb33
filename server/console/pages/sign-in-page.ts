import { fill, page } from './layout.ts';

export interface SignInPage {
  formToken: string;
  /** Where to go afterwards: a page of the console. */
  next: string;
  problem: string;
  /** Host of the OpenID provider; empty for passwords alone. */
  provider: string;
}

const BODY = `<% if (it.problem) { %><p class="warn" role="alert"><%= it.problem %></p><% } %>
<form class="card" method="post" action="/sign-in"><input type="hidden" name="token" value="<%= it.formToken %>"><input type="hidden" name="next" value="<%= it.next %>">
<label for="name">Operator</label><input type="text" id="name" name="name" autocomplete="username" autocapitalize="none" required autofocus>
<label for="password">Password</label><input type="password" id="password" name="password" autocomplete="current-password" required>
<div class="row"><button class="good">Sign in</button></div></form>
<% if (it.provider) { %><p><a href="/sign-in/oidc?next=<%= encodeURIComponent(it.next) %>">Sign in with <%= it.provider %></a></p><% } %>
<p class="note">You came by a link and are signed in already? <a href="<%= it.next %>">Go on to the page</a>.</p>`;

export const signInPage = (values: SignInPage): string => page('Sign in', fill(BODY, values));

const SIGNED_IN = `<p role="status">You are signed in.</p><p><a href="<%= it.next %>">Go on to the page</a></p>`;

export const signedInPage = (next: string): string => page('Signed in', fill(SIGNED_IN, { next }));
