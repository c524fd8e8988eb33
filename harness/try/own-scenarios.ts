/** Scenarios that somebody wrote for a document, in place of those that are made from it. */
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { ApiDocument } from '../generator/api-document.ts';
import { PLATFORM } from '../generator/scenario-draft.ts';
import { got, HarnessError } from '../harness-errors.ts';
import { loadScenarios, type Scenario } from '../scenario/scenario.ts';
import { keyOf } from './matched-tools.ts';

/** Throws `SCENARIO_INVALID` for a folder without scenarios, and for one of another platform or of operations that the document lacks. */
export async function ownScenarios(
  folder: string,
  { operations }: Pick<ApiDocument, 'operations'>,
): Promise<Scenario[]> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new HarnessError('SCENARIO_INVALID', `--scenarios should be a folder, got ${got(folder)}`);
  const known = { platforms: [PLATFORM], operations: operations.map(keyOf) };
  const scenarios = await loadScenarios(dirname(folder), basename(folder), known);
  if (scenarios.length > 0) return scenarios;
  throw new HarnessError('SCENARIO_INVALID', `${folder} should hold <suite>/<name>.yaml, got no such file`);
}
