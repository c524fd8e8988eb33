/**
 * `npm run bench:replay`: a day of work over all platforms, a thousand times (`--replays 1000`), from the starting state of
 * `--fixture`; one differing byte fails it. `--json` prints one object.
 */
import { parseArgs } from 'node:util';
import { shippedInstallation } from '../full-installation.ts';
import { mixedDay, playDay } from '../mixed-day.ts';

const { values } = parseArgs({
  options: {
    fixture: { type: 'string', default: 'multi-region' },
    replays: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
});
const replays = Number(values.replays);
const installation = await shippedInstallation(undefined, values.fixture);
const day = mixedDay(installation);
const first = playDay(installation, day, true);
let differing = 0;
const from = performance.now();
for (let at = 1; at < replays; at += 1) if (playDay(installation, day).digest !== first.digest) differing += 1;
const seconds = (performance.now() - from) / 1000;
const last = playDay(installation, day, true);
if (last.digest !== first.digest || last.states.join() !== first.states.join()) differing += 1;
const result = {
  bench: 'fake-replay',
  fixture: values.fixture,
  replays,
  platforms: installation.ids.length,
  calls: day.length,
  refused: first.statuses.filter((status) => status >= 400).length,
  differing,
  seconds: Math.round(seconds),
  passed: differing === 0 && replays > 1,
};
console.log(
  values.json
    ? JSON.stringify(result)
    : `${replays} replays of ${day.length} calls over ${installation.ids.length} platforms: ${differing} differ (${result.seconds} s)`,
);
process.exitCode = result.passed ? 0 : 1;
