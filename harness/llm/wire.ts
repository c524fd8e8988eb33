/** Chat completions as bytes: one JSON body, or server-sent events that end with `[DONE]`. */
import { type Completion, completionOf } from '../agents/llm/chat-completion.ts';

/** undefined when the answer is cut off or no completion at all. */
export function readCompletion(contentType: string, body: string): Completion | undefined {
  try {
    return completionOf(contentType.includes('text/event-stream') ? eventsOf(body) : [JSON.parse(body)]);
  } catch {
    return undefined;
  }
}

function eventsOf(body: string): unknown[] {
  return body
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim())
    .filter((data) => data !== '' && data !== '[DONE]')
    .map((data) => JSON.parse(data) as unknown);
}

export interface WrittenCompletion {
  contentType: string;
  /** Each a piece that may be sent on its own. */
  pieces: string[];
}

export function writeCompletion(completion: Completion, stream: boolean): WrittenCompletion {
  const { model, system_fingerprint, seed, message, finish_reason, usage } = completion;
  const common = {
    id: 'chatcmpl-1',
    created: 0,
    model,
    ...(system_fingerprint === null ? {} : { system_fingerprint }),
    ...(seed === null ? {} : { seed }),
  };
  const counted = usage === null ? {} : { usage };
  if (!stream) {
    const choices = [{ index: 0, message, finish_reason }];
    const body = { ...common, object: 'chat.completion', choices, ...counted };
    return { contentType: 'application/json', pieces: [JSON.stringify(body)] };
  }
  const chunk = (choices: unknown[], rest: object = {}) =>
    `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices, ...rest })}\n\n`;
  const delta = (part: object) => chunk([{ index: 0, delta: part, finish_reason: null }]);
  return {
    contentType: 'text/event-stream',
    pieces: [
      delta({ role: 'assistant', content: '' }),
      ...deltasOf(completion).map(delta),
      chunk([{ index: 0, delta: {}, finish_reason }]),
      ...(usage === null ? [] : [chunk([], counted)]),
      'data: [DONE]\n\n',
    ],
  };
}

/** Text in one piece; each call's name first, then its arguments in halves, as endpoints send them. */
function deltasOf({ message }: Completion): object[] {
  const { role: _role, content: _content, tool_calls: _calls, ...others } = message;
  const calls = (message.tool_calls ?? []).flatMap(
    ({ id, type, function: { name, arguments: args }, ...rest }, index) => {
      const half = Math.ceil(args.length / 2);
      return [
        { tool_calls: [{ ...rest, index, id, type, function: { name, arguments: '' } }] },
        { tool_calls: [{ index, function: { arguments: args.slice(0, half) } }] },
        { tool_calls: [{ index, function: { arguments: args.slice(half) } }] },
      ];
    },
  );
  return [
    ...(Object.keys(others).length === 0 ? [] : [others]),
    ...(message.content === null ? [] : [{ content: message.content }]),
    ...calls,
  ];
}
