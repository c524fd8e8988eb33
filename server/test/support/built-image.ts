/** The image under test, built once before the tests of containers, from whatever is in the build cache. */
import type { TestProject } from 'vitest/node';
import { done, noEngine } from './container-engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Why nothing of this runs; empty where it does. */
    noEngine: string;
    buildSeconds: number;
  }
}

export default function build(project: TestProject): void {
  const why = noEngine();
  project.provide('noEngine', why ?? '');
  project.provide('buildSeconds', 0);
  if (why !== undefined) {
    process.stderr.write(`${why}\n`);
    return;
  }
  const before = performance.now();
  done(['compose', '--profile', 'router', 'build', 'mcp-router']);
  const seconds = (performance.now() - before) / 1000;
  process.stderr.write(`the image is built, ${seconds.toFixed(0)} s\n`);
  project.provide('buildSeconds', seconds);
}
