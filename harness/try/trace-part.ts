/** One run as HTML: the intent, each message with the API calls it caused, and the answer. */
import type { Recording } from '../recording/recording.ts';
import { type TracedMessage, traceOf } from '../recording/run-trace.ts';
import { escapedText as text } from '../reporting/escape.ts';

/** So much of each text keeps a page of 200 runs below a megabyte. */
const LONGEST = 400;

export function tracePart(recording: Recording): string {
  const { intent, messages, answer, otherCalls } = traceOf(recording);
  const steps = messages.filter(({ kind }) => kind !== 'initialize' && kind !== 'list').map(stepPart);
  const rest = otherCalls.map(({ line }) => `<li><code>${text(line)}</code></li>`);
  const list =
    steps.length + rest.length === 0 ? '<p>No call was made.</p>' : `<ol>${steps.join('')}${rest.join('')}</ol>`;
  return `<p>${text(intent)}</p>${list}<p>Answer: <code>${text(cut(answer) || 'none')}</code></p>`;
}

function stepPart({ title, sent, received, failed, calls, tookMs }: TracedMessage): string {
  const made = calls.map(({ line }) => `<br><code>${text(line)}</code>`).join('');
  return `<li><b${failed ? ' class="no"' : ''}>${text(title)}</b> <small>${Math.round(tookMs)} ms</small>${made}<pre>${text(cut(sent))}\n→ ${text(cut(received))}</pre></li>`;
}

const cut = (value: string): string => (value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);
