/** What a preview shows of the request and of the change: to the caller as fields, to the person as lines. */
import { quoted } from '../telemetry/invisible.ts';
import { isSecretName } from '../telemetry/redact.ts';
import type { AdmittedCall } from './dispatch-call.ts';
import { type Impact, REQUEST_ALONE, withoutSecrets } from './impact.ts';
import type { PreviewRead } from './preview-read.ts';
import { keyOfPair } from './request.ts';

/**
 * The request as it will be sent, for the agent that asked for it. An answer to an agent repeats no secret, only its length
 * (specification 2.6); the person who approves sees the request whole, with its host and account.
 */
export function shownRequest({ tool, request }: AdmittedCall): Record<string, unknown> {
  return {
    method: request.method,
    path: request.path,
    ...(request.query ? { query: request.query.split('&').map(shownPair).join('&') } : {}),
    ...(request.body === undefined ? {} : { body: withoutSecrets(request.body, tool) }),
    ...(request.files === undefined ? {} : { files: request.files }),
  };
}

function shownPair(pair: string): string {
  const at = pair.indexOf('=') + 1;
  return isSecretName(keyOfPair(pair)) ? pair.slice(0, at) + '*'.repeat(pair.length - at) : pair;
}

type Seen = Pick<PreviewRead, 'target' | 'impact'>;

/** One line for each thing that is known, every text quoted, so that nothing in a value looks like a line of its own. */
export function previewNotes({ target = {}, impact }: Seen): string[] {
  const who = Object.entries(target).map(([label, value]) => `${label} ${quoted(value)}`);
  return [...(who.length > 0 ? [`Target: ${who.join(', ')}`] : []), ...(impact ? impactNotes(impact) : [])];
}

function impactNotes(impact: Impact): string[] {
  const { source, does, not_shown, unchanged, consequences = [], warning } = impact;
  return [
    ...(source === undefined ? [] : [`Compared with: ${source === REQUEST_ALONE ? 'nothing' : quoted(source)}`]),
    ...(does === undefined ? [] : [`Does: ${quoted(does)}`]),
    ...(impact.would_change ?? []).map(
      (entry) => `${entry.from === undefined ? 'Sets' : 'Changes'} ${changeText(entry)}`,
    ),
    ...(impact.would_send ?? []).map((entry) => `Sends ${changeText(entry)}`),
    ...(impact.would_add ?? []).map((entry) => `Adds ${changeText(entry)}`),
    ...(impact.would_remove ?? []).map((entry) => `Removes ${changeText(entry)}`),
    ...(not_shown === undefined
      ? []
      : [`And ${not_shown} fields more; the request above holds everything that is sent`]),
    ...(unchanged ? ['Changes nothing that the read shows'] : []),
    ...consequences.map((line) => `Consequence: ${quoted(line)}`),
    ...(warning === undefined ? [] : [`Note: ${quoted(warning)}`]),
  ];
}

/** Values as JSON: a number and the text of its digits look different. */
function changeText({
  field,
  from,
  to,
  changed,
  left_out,
  added,
  removed,
}: NonNullable<Impact['would_change']>[number]): string {
  const values = [from, to].filter((value) => value !== undefined).map(quoted);
  const entries = [
    ...(changed === undefined ? [] : [`changed ${quoted(changed)}`]),
    ...(left_out === undefined ? [] : [`left out of every entry ${quoted(left_out)}`]),
    ...(added === undefined ? [] : [`added ${quoted(added)}`]),
    ...(removed === undefined ? [] : [`removed ${quoted(removed)}`]),
  ];
  return `${quoted(field)}: ${[values.join(' → '), ...entries].join(', ')}`;
}
