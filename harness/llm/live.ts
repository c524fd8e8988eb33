/** The endpoint itself. What the settings add to a request is added here; the key and the headers come back out of nothing. */
import { credentialsIn } from '../recording/header-credentials.ts';
import { redact } from '../recording/redact-recording.ts';
import type { Endpoint } from './endpoint.ts';
import type { ModelSource } from './model-proxy.ts';

export function liveSource({
  baseUrl,
  apiKey,
  headers = {},
  extraBody,
}: Pick<Endpoint, 'baseUrl' | 'apiKey'> & Partial<Pick<Endpoint, 'headers' | 'extraBody'>>): ModelSource {
  const secrets = { api_key: apiKey, ...headers, ...credentialsIn(headers) };
  return {
    kind: 'live',
    answer: async ({ body, signal }) => {
      const post = async () =>
        fetch(`${baseUrl}/chat/completions`, {
          method: 'POST',
          headers: new Headers({
            'content-type': 'application/json',
            authorization: `Bearer ${apiKey}`,
            ...headers,
          }),
          body: extraBody === undefined ? body : JSON.stringify({ ...(JSON.parse(body) as object), ...extraBody }),
          signal,
          redirect: 'error', // the key goes to the address that was configured, and to no other
        });
      const answer = await post().catch((error: Error) => {
        throw new Error(redact(causeOf(error), secrets));
      });
      if (answer.ok) return answer;
      const said = redact(await answer.text(), secrets);
      const kept = ['content-type', 'retry-after'].flatMap((name) => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value] as [string, string]];
      });
      return new Response(said, { status: answer.status, headers: kept });
    },
  };
}

/** `fetch failed` says nothing; what it was caused by does. Of a name with several addresses only the code is known. */
function causeOf({ message, cause }: Error): string {
  const { message: said, code } = (cause ?? {}) as { message?: string; code?: string };
  return said || code || message;
}
