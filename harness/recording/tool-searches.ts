/** The calls of a run that looked for tools, and what each found. */
import type { Message, Recording } from './recording.ts';

export interface DiscoveryCall {
  message: Message;
  /** Names in the order of the answer. */
  found: string[];
}

export function discoveryCalls(recording: Recording): DiscoveryCall[] {
  const { discover } = recording.subject;
  return recording.transcript
    .filter((message) => message.kind === 'call' && message.tool === discover)
    .map((message) => ({ message, found: namesIn(message.received) }));
}

/** The first block that is a JSON array of descriptors; a note about them may follow in another. */
function namesIn(received: unknown): string[] {
  const texts = Array.isArray(received) ? received.filter((block) => typeof block === 'string') : [];
  for (const text of texts) {
    const value = parsed(text);
    if (!Array.isArray(value)) continue;
    return value.flatMap((item: { name?: unknown } | null) => (typeof item?.name === 'string' ? [item.name] : []));
  }
  return [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
