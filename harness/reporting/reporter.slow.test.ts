/** The page of as many runs as a campaign has. */
import { describe, expect, test } from 'vitest';
import { bodiesOf, widePage } from '../test/wide-report.ts';

describe('the page', () => {
  test('of 200 runs is below a megabyte, also where four messages of each have long texts that are all different', async () => {
    const html = await widePage(200);
    expect(Buffer.byteLength(html)).toBeLessThan(1e6);
    const bodies = bodiesOf(html);
    expect(bodies).toHaveLength(200);
    for (const body of bodies) expect(body.match(/more characters/g)?.length).toBeGreaterThanOrEqual(8);
  });
});
