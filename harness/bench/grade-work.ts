/** What is counted of grading: one recording graded by every check and metric, so many times over. */
import { loadChecks } from '../check.ts';
import { grade } from '../grade.ts';
import { loadMetrics } from '../metric.ts';
import { sampleRecording } from '../testing/sample-recording.ts';

const [, times = '1'] = process.argv.slice(2);
const [checks, metrics] = [await loadChecks(), await loadMetrics()];
const recording = sampleRecording();
for (let at = 0; at < Number(times); at++)
  if (grade(recording, checks, metrics).status !== 'passed') throw new Error('the sample recording should pass');
process.exit(0);
