/** Where traces go. */
import { RouterError } from '../errors.ts';
import { type Environment, invalid } from './environment.ts';

const NAME = 'SVC_MCP_TRACES_URL';

/**
 * The address of an OTLP/HTTP endpoint; undefined where nothing is traced. Throws CONFIG_INVALID for an address of another form, and for
 * one that an egress list does not name.
 */
export function readTracesUrl(environment: Environment, egress: readonly string[] | undefined): string | undefined {
  const text = environment.set(NAME);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // An address of another form may hold a password, so it is not repeated.
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new RouterError(
      'CONFIG_INVALID',
      `${NAME} should be an http:// or https:// address without a password, got another form`,
    );
  if (egress !== undefined && !egress.includes(url.origin))
    throw invalid(NAME, 'an address whose origin is on SVC_MCP_EGRESS', url.origin);
  return url.href;
}
