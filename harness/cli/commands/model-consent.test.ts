import { expect, test } from 'vitest';
import { assertConsent } from './model-consent.ts';

const env = { SVC_LLM_BASE_URL: 'http://127.0.0.1:9/v1', SVC_LLM_MODEL: 'some-model' };

async function asked(answer: boolean | undefined, options: { runs?: number; yes?: boolean } = {}) {
  let [printed, questions] = ['', 0];
  const context = {
    env,
    stderr: { write: (text: string) => (printed += text) } as never,
    confirm: async () => {
      questions++;
      return answer;
    },
  };
  const refused = await assertConsent({ runs: options.runs ?? 920, yes: options.yes }, context).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { refused, printed, questions };
}

test('the estimate is printed and the person is asked', async () => {
  const { refused, printed, questions } = await asked(true);
  expect({ refused, questions }).toEqual({ refused: undefined, questions: 1 });
  expect(printed).toMatch(/^920 runs will ask some-model:\n {2}about +5,520 requests, /);
});

test('no, or nobody to ask, ends the command before anything is sent', async () => {
  expect((await asked(false)).refused).toBe('the runs were not confirmed');
  expect((await asked(undefined)).refused).toBe('the runs should be confirmed, got nobody to ask');
});

test('--yes asks nothing and still prints; no run asks and prints nothing', async () => {
  expect(await asked(undefined, { yes: true })).toMatchObject({ refused: undefined, questions: 0 });
  expect((await asked(undefined, { yes: true })).printed).toContain('920 runs');
  expect(await asked(undefined, { runs: 0 })).toEqual({ refused: undefined, printed: '', questions: 0 });
});
