/** R7: every upstream fault × capability × style of platform, at least 250 cells; with `--reporter=verbose` each outcome. */
import { expect, test } from 'vitest';
import { type Cell, playMatrix, violationsOf } from '../support/fault-matrix.ts';
import { installationTestbed } from '../support/installation-testbed.ts';
import { reportFigures } from '../support/measured-figures.ts';

/** One platform for each way of proving who calls, and of answering. */
const STYLES = ['workspace', 'cloudwlan', 'sdwan', 'fabric', 'legacy', 'sse', 'sensors'];
/** Of a call. Seven styles play beside other files, so a busy machine needs more than a call takes by itself. */
const SECONDS = 4;

test('one true outcome per cell, in time, and no write arrives twice', async (context) => {
  // Most of the time is waiting, so the styles wait together.
  const played = await Promise.all(STYLES.map(playStyle));
  const cells = played.flat();
  const outcomes = Map.groupBy(cells, ({ outcome }) => outcome);
  const resent = cells.filter(({ capability, arrived }) => capability !== 'read' && arrived > 1).length;
  console.log(
    `${cells.length} cells; ${[...outcomes].map(([outcome, own]) => `${outcome} ${own.length}`).join(', ')}; re-sent ${resent}`,
  );
  reportFigures(context, { cells: cells.length, untrue: violationsOf(cells).length, resent });
  expect(violationsOf(cells)).toEqual([]);
  expect(cells.length).toBeGreaterThanOrEqual(250);
  for (const style of STYLES)
    expect(
      new Set(cells.filter(({ platform }) => platform === style).map(({ capability }) => capability)).size,
    ).toBeGreaterThanOrEqual(3);
});

async function playStyle(platform: string): Promise<Cell[]> {
  const variables = { SVC_MCP_CALL_TIMEOUT_SECONDS: String(SECONDS) };
  await using testbed = await installationTestbed({ platforms: [platform], variables });
  return await playMatrix(testbed, { platform, timeoutMs: SECONDS * 1000 });
}
