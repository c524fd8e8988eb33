/** The endpoint itself. Bodies pass unchanged in both directions; the key is added here and comes back out of nothing. */
import { redact } from '../recording/redact-recording.ts';
import type { Endpoint } from './endpoint.ts';
import type { ModelSource } from './model-proxy.ts';

export function liveSource({ baseUrl, apiKey }: Pick<Endpoint, 'baseUrl' | 'apiKey'>): ModelSource {
  return {
    kind: 'live',
    answer: async ({ body, signal }) => {
      const answer = await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
        body,
        signal,
        redirect: 'error', // the key goes to the address that was configured, and to no other
      });
      if (answer.ok) return answer;
      const said = redact(await answer.text(), { api_key: apiKey });
      return new Response(said, { status: answer.status, headers: answer.headers });
    },
  };
}
