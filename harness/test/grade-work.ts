/**
 * The work of the instruction count of grading: every check and metric grades one recording, a given number of times.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { grade } from '../grading/grade.ts';
import type { Check } from '../grading/grading-check.ts';
import type { Metric } from '../grading/metric.ts';
import { sampleRecording } from './sample-recording.ts';

/** One after the other: what is loaded side by side is loaded in an order that nobody can count on. */
async function modulesOf<Module>(folder: string): Promise<Module[]> {
  const modules: Module[] = [];
  for (const name of readdirSync(join(import.meta.dirname, '..', 'grading', folder)).sort())
    if (name.endsWith('.ts') && !name.endsWith('.test.ts'))
      modules.push(
        ((await import(join(import.meta.dirname, '..', 'grading', folder, name))) as { default: Module }).default,
      );
  return modules;
}

const [, times = '1'] = process.argv.slice(2);
const checks = await modulesOf<Check>('checks');
const metrics = await modulesOf<Metric>('metrics');
const recording = sampleRecording();
for (let at = 0; at < Number(times); at++)
  if (grade(recording, checks, metrics).status !== 'passed') throw new Error('the sample recording should pass');
process.exit(0);
