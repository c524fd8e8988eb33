/** An operator with a browser that runs no script: follows redirects within the console, keeps cookies, fills in forms. */

export interface PageAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export interface PageRequest {
  method?: string;
  fields?: Readonly<Record<string, string | readonly string[]>>;
  headers?: Readonly<Record<string, string>>;
}

export class ConsoleVisitor {
  readonly url: string;
  readonly cookies = new Map<string, string>();
  /** What its person signed in with, and types again where a page asks for it. */
  password = '';

  constructor(url: string) {
    this.url = url;
  }

  /** One request as a browser sends it; a redirect is not followed. */
  async send(path: string, { method = 'GET', fields, headers = {} }: PageRequest = {}): Promise<PageAnswer> {
    const body = fields && new URLSearchParams(pairsOf(fields));
    const response = await this.sent(new URL(path, this.url), {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookies.size > 0 ? { cookie: this.cookieHeader() } : {}),
        ...(method === 'GET' ? {} : { origin: new URL(this.url).origin }),
        ...headers,
      },
      ...(body ? { body } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** How a request is sent; another visitor may come over a proxy. */
  protected sent(url: URL, init: RequestInit): Promise<Response> {
    return fetch(url, init);
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  post(
    path: string,
    fields: PageRequest['fields'],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<PageAnswer> {
    return this.send(path, { method: 'POST', ...(fields ? { fields } : {}), headers });
  }

  async signIn(name: string, password: string, next = '/approvals'): Promise<PageAnswer> {
    this.password = password;
    const { text } = await this.send(`/sign-in?next=${encodeURIComponent(next)}`);
    return this.post('/sign-in', { ...hiddenFields(text), name, password });
  }

  /** Opens the approval and answers it with its own form. */
  async answer(id: string, verdict: 'approve' | 'decline', more: PageRequest['fields'] = {}): Promise<PageAnswer> {
    const { text } = await this.send(`/approvals/${id}`);
    return this.post(`/approvals/${id}/answer`, {
      ...hiddenFields(formTo(text, `/approvals/${id}/answer`)),
      verdict,
      password: this.password,
      ...more,
    });
  }
}

function pairsOf(fields: NonNullable<PageRequest['fields']>): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one as string]),
  );
}

export const formTo = (page: string, action: string): string =>
  page
    .split('<form ')
    .find((form) => form.includes(`action="${action}"`))
    ?.split('</form>')[0] ?? '';

export function hiddenFields(markup: string): Record<string, string> {
  const found = markup.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  return Object.fromEntries([...found].map(([, name, value]) => [name, unescaped(value as string)]));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Text as a browser reads it out of markup; a carriage return of the markup becomes a line end there (HTML 13.2.3.5). */
export const unescaped = (markup: string): string =>
  markup.replace(/\r\n?/g, '\n').replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] as string);
