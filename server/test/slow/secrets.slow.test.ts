/** R14: answers of a router over platforms that say back every credential, and every file it left behind; 20,000 answers in the nightly run. */
import { expect, test } from 'vitest';
import { canaryTestbed } from '../support/canary-run.ts';
import { reportFigures } from '../support/measured-figures.ts';

/** Every way of proving who calls. */
const PLATFORMS = ['sensors', 'workspace', 'cloudwlan', 'sdwan', 'fabric', 'legacy', 'sse', 'analytics'];

const ANSWERS = process.env['NIGHTLY'] === undefined ? 2_000 : 20_000;

test(`no secret comes out in ${ANSWERS} answers, the log and all files`, async (context) => {
  await using canary = await canaryTestbed(PLATFORMS);
  const { answers, secrets, files, hits } = await canary.run(ANSWERS);
  console.log(`${answers} answers, ${files} files, ${secrets} secrets in 8 encodings: ${hits.length} hits`);
  reportFigures(context, { answers, files, secrets, hits: hits.length });
  expect(hits).toEqual([]);
  expect(answers).toBe(ANSWERS);
});
