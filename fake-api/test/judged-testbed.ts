/** A platform that a test writes down as a model, where every answer is held against the document that declares it. */
import { expect } from 'vitest';
import type { Schema } from '../engine/openapi/openapi-document.ts';
import type { Platform } from '../engine/openapi/served-platform.ts';
import { strictCheck } from '../engine/openapi/validators.ts';
import type { Called } from './engine/small-platform.ts';
import { type ModelTestbed, modelTestbed } from './model-testbed.ts';

/** `style` are the lines of the one style all resources have. */
export function judgedTestbed(
  resources: string,
  style: string,
  parts: Partial<Record<string, string>> = {},
): ModelTestbed {
  const styles = `\n    plain:\n${style.replace(/^/gm, '      ')}`;
  const testbed = modelTestbed(resources.replace(/^/gm, '  '), { ...parts, styles });
  const platform = testbed.state.platforms.get('demo') as Platform;
  return {
    ...testbed,
    call: (...of) => {
      const answer = testbed.call(...of);
      holdAgainst(platform, testbed.records.at(-1)?.operationId ?? null, answer);
      return answer;
    },
  };
}

/** Status, media type, body and headers must be what the operation's document declares. */
function holdAgainst(platform: Platform, id: string | null, answer: Called): void {
  const operation = id === null ? undefined : platform.byId.get(id);
  if (operation === undefined) return;
  const declared = operation.responses[String(answer.status)];
  expect(declared, `${id} answers ${answer.status}: ${answer.body}`).toBeDefined();
  for (const name of Object.keys(declared?.headers ?? {}))
    expect(Object.keys(answer.headers), `${id} answers without ${name}`).toContain(name.toLowerCase());
  if (declared?.content === undefined) {
    expect(answer.body).toBe('');
    return;
  }
  const media = answer.headers['content-type'] ?? '';
  expect(Object.keys(declared.content)).toContain(media);
  const schema = declared.content[media]?.schema as Schema;
  const value: unknown = media.endsWith('json') ? answer.json : answer.body;
  expect(strictCheck(operation.document, schema)(value), `${id}: ${answer.body}`).toBeNull();
}
