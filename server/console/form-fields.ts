/** Fields of a form: only what an HTML form sends is read, and a field that was sent twice counts as none unless it may be. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

const FORM = 'application/x-www-form-urlencoded';

export function addFormParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(body as string)),
  );
}

export function fieldsOf({ body }: FastifyRequest, name: string): string[] {
  return body instanceof URLSearchParams ? body.getAll(name) : [];
}

export function fieldOf(request: FastifyRequest, name: string): string {
  const [value, ...more] = fieldsOf(request, name);
  return more.length === 0 ? (value ?? '') : '';
}

/** A value of the query, or nothing. */
export function queryOf({ query }: FastifyRequest, name: string): string {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value.trim() : '';
}
