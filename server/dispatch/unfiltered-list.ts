/** Explains a list that its filters left empty, by one more read of the same list without them. */
import type { AdmittedCall } from './dispatch-call.ts';
import { explained, looksAt, unfiltered, type WholeList } from './empty-list.ts';
import type { CallEnd } from './envelope.ts';
import { type ObjectSources, readWith } from './object-read.ts';
import { type AnswerSource, answerOf } from './tool-answer.ts';

export class UnfilteredLists {
  readonly #options: AnswerSource['options'];
  readonly #sources: ObjectSources;

  constructor(options: AnswerSource['options'], sources: ObjectSources) {
    this.#options = options;
    this.#sources = sources;
  }

  /** One more read of the same list, without its filters. Whatever stops it leaves the answer as it is. */
  async of(end: CallEnd, { call, tool, platform, values }: AdmittedCall, filters: string[]): Promise<CallEnd> {
    const looks = looksAt(this.#sources.validators.schema(tool), filters);
    const args = unfiltered(tool, values);
    const whole = tool.method === 'GET' ? readWith(tool, args, { call, platform }, this.#sources) : undefined;
    try {
      const response = await whole?.send();
      if (response === undefined || response.status !== 200 || response.large) return explained(end, looks, undefined);
      const source = { tool, values: args, principal: call.principal, response, from: 0, options: this.#options };
      const listed = answerOf(source);
      if (listed.kind !== 'done') return explained(end, looks, undefined);
      return explained(end, looks, listed.result as WholeList);
    } catch {
      return explained(end, looks, undefined);
    }
  }
}
