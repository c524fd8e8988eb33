/** An agent that reads an object, changes it and sends it back sends the mask of its secrets with it. */
import { pointerPart } from '../catalog/platform-document.ts';
import { holdsMask, MASK } from '../telemetry/redact.ts';
import type { ArgumentProblem } from './invalid-argument.ts';

const EXPECTED = `should be the value itself, or be left out: the router shows a secret as ${MASK}, and sends no mask in its place`;

/** The first value that would put the mask in the place of a secret, and that a person could not tell from one that is masked. */
export function maskedIn(value: unknown, pointer = ''): ArgumentProblem | undefined {
  if (typeof value === 'string') return holdsMask(value) ? { pointer, expected: EXPECTED, got: MASK } : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const problem = maskedIn(inner, `${pointer}/${pointerPart(name)}`);
    if (problem) return problem;
  }
  return undefined;
}
