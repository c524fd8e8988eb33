/** The person's part of an OAuth sign-in. */

/** A browser of the person at the development pages of oidc-provider: it keeps cookies, signs in, consents, and stops before the redirect to `/callback`. */
export async function browse(start: string, login = 'person'): Promise<string> {
  const jar = new Map<string, string>();
  let url = start;
  let init: RequestInit = {};
  for (let step = 0; step < 20; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    init = {};
    if (location !== null) {
      url = new URL(location, url).href;
      if (new URL(url).pathname === '/callback') return url;
      continue;
    }
    const page = await response.text();
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
    const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    url = new URL(action, url).href;
    const body = new URLSearchParams({ prompt, login, password: 'theirs' }).toString();
    init = { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  }
  throw new Error('the authorization server never redirected back');
}
