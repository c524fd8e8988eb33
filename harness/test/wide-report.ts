/** A report of many runs whose messages have long texts, all different; and what its page holds of each run. */
import { gunzipSync } from 'node:zlib';
import { judgeRecordings } from '../execution/judgement.ts';
import { loadReporters } from '../reporting/reporter.ts';
import { seededRandom } from '../statistics/stats.ts';
import { changedRecording } from './sample-recording.ts';
import { META } from './sample-report.ts';

/** What the page shows of each run when it is opened. */
export function bodiesOf(page: string): string[] {
  const packed = /id="traces">([^<]*)</.exec(page)?.[1] ?? '';
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as string[];
}

/** The page of so many runs with four messages each. */
export async function widePage(runs: number): Promise<string> {
  const random = seededRandom(11);
  const drawn = () => Math.floor(random() * 0xffff_ffff).toString(36);
  const long = () => JSON.stringify({ items: Array.from({ length: 60 }, () => ({ id: drawn(), name: drawn() })) });
  const recordings = Array.from({ length: runs }, (_, run) =>
    changedRecording((r) => {
      r.run = run;
      r.seed = 1 + run;
      const call = r.transcript.find((message) => message.kind === 'call')!;
      r.transcript = Array.from({ length: 4 }, (__, n) => ({
        ...call,
        n,
        sent: { query: long() },
        received: long(),
      }));
    }),
  );
  const wide = await judgeRecordings({ recordings, baseline: undefined, meta: { ...META, runs } });
  const html = (await loadReporters()).find(({ id }) => id === 'html')!;
  return html.render(wide, { color: false });
}
