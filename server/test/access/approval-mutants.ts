/** Guards of an approval taken out, and ways to show a person something other than what is sent. */
import { type AccessMutant, one } from './access-mutant.ts';

const JSON_BODY = 'return { contentType, text: escapeInvisible(JSON.stringify(body)) };';

export const APPROVAL_MUTANTS: readonly AccessMutant[] = [
  one(
    'a masked value is sent',
    'approval',
    'dispatch/request.ts',
    JSON_BODY,
    "const mask = (name: string, value: unknown) => (/secret|password|token/i.test(name) ? '******' : value);\n  return { contentType, text: escapeInvisible(JSON.stringify(body, mask)) };",
  ),
  one(
    'a field is added to every body',
    'approval',
    'dispatch/request.ts',
    JSON_BODY,
    'return { contentType, text: escapeInvisible(JSON.stringify({ ...(body as object), updatedBy: 0 })) };',
  ),
  one(
    'the person is shown an empty body',
    'approval',
    'dispatch/exact-request.ts',
    'const shown = maskedByLength(text, secretsAt);',
    "const shown = text === '' ? text : '{}';",
  ),
  one(
    'the person is shown the beginning of a body',
    'approval',
    'dispatch/exact-request.ts',
    'const shown = maskedByLength(text, secretsAt);',
    'const shown = maskedByLength(text, secretsAt).slice(0, 1_000);',
  ),
  one(
    'a question is sent however long it is',
    'approval',
    'dispatch/question.ts',
    'if (characters > limit) return { characters, limit, request: from + 1 };',
    'if (characters < 0) return { characters, limit, request: from + 1 };',
  ),
  one(
    'an answer counts as often as it is brought',
    'approval',
    'dispatch/confirmation.ts',
    'if (!(await this.#used.consume(state.nonce, state.expiresAt)))',
    'if ((await this.#used.consume(state.nonce, state.expiresAt)) === undefined)',
  ),
  one(
    'the target is not read again before the sending',
    'approval',
    'dispatch/platform-write.ts',
    'if (!valid.isTarget(this.#digestOf(admitted, target))) return { stopped: targetChanged(admitted, target) };',
    '',
  ),
  // Two guards miss the caller: the reading of the target ends with the call, and then the call is asked about itself.
  {
    name: 'a caller who left during the question is not missed',
    layer: 'approval',
    edits: [
      {
        file: 'dispatch/platform-write.ts',
        from: 'if (call.signal?.aborted)',
        to: 'if (call.signal === null)',
      },
      {
        file: 'dispatch/object-read.ts',
        from: '...(call.signal ? { signal: call.signal } : {}),',
        to: '',
      },
    ],
  },
  one(
    'a yes to a list is a yes to anything',
    'approval',
    'dispatch/approvals.ts',
    'if (at < 0) return',
    'if (at < -1) return',
  ),
  one(
    'a session belongs to whoever knows its id',
    'approval',
    'http/sessions.ts',
    'return session?.owner === owner ? session : undefined;',
    'return session;',
  ),
];
