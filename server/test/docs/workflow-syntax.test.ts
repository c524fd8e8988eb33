/** Workflows and expressions in them, read by the parser that the service itself publishes: no network, and before anything is pushed. */
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './source-imports.ts';

/** The package imports JSON without saying so, which Node refuses. */
const hooks = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
hooks.deregister();

async function errorsIn(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

const folder = join(root, '.github', 'workflows');
const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));

test.each(names)('%s is a workflow', async (name) => {
  expect(await errorsIn(name, readFileSync(join(folder, name), 'utf8'))).toEqual([]);
});

const job = (step: string) => `on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - ${step}\n`;

const expression = (text: string) => job(`run: echo $\{{ ${text}`);

test.each([
  ['a key that no step has', job('rum: npm test'), /rum/],
  ['an expression that does not end', expression('matrix.node }'), /expression/i],
  ['a name that no context has', expression('gihtub.sha }}'), /gihtub/],
  ['a function that there is not', expression("contians('a', 'b') }}"), /contians/],
  ['a job that is needed and not there', `${job('run: npm test')}    needs: [build]\n`, /no dependencies/],
  ['an event that there is not', 'on: pusch\njobs: {}\n', /pusch/],
])('%s is an error', async (_, content, message) => {
  expect((await errorsIn('x.yml', content)).join('\n')).toMatch(message);
});
