/** A visitor of the console behind its proxy. */
import { request } from 'node:https';
import { ConsoleVisitor } from './console-visitor.ts';

/** Over https, with the certificate that docs/containers.md makes as the only authority. */
export class SecureVisitor extends ConsoleVisitor {
  readonly #ca: string;

  constructor(url: string, ca: string) {
    super(url);
    this.#ca = ca;
  }

  protected override sent(url: URL, { method = 'GET', headers, body }: RequestInit): Promise<Response> {
    const given = new Headers(headers);
    if (body) given.set('content-type', 'application/x-www-form-urlencoded');
    return new Promise((resolve, reject) => {
      const options = { method, headers: Object.fromEntries(given), ca: this.#ca };
      const sent = request(url, options, async (answer) => {
        const pairs = answer.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [[name, all[at + 1] ?? '']] : []));
        const text = (await answer.toArray()).join('');
        resolve(new Response(text, { status: answer.statusCode ?? 0, headers: pairs as [string, string][] }));
      });
      sent.on('error', reject).end(body ? String(body) : undefined);
    });
  }
}
