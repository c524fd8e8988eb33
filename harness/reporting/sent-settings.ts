/** What was sent to a language model with each request, as a report states it; nothing is claimed of what was not sent. */
import type { ModelTranscript } from '../recording/transcript.ts';

const NOT_SENT = 'not sent' satisfies ModelTranscript['seed_honoured'];

export const temperatureText = (temperature: number | undefined): string =>
  temperature === undefined ? NOT_SENT : String(temperature);

/** `honoured`: `seed_honoured` of each run. */
export function seedText(honoured: readonly string[]): string {
  const sent = [...new Set(honoured)].filter((value) => value !== NOT_SENT).sort();
  if (sent.length === 0) return NOT_SENT;
  return `sent${honoured.includes(NOT_SENT) ? ' in some runs' : ''}; honoured: ${sent.join(', ')}`;
}
