/** Some platforms answer with success and say in the body that they refuse. Where, their documents state (`x-svc-outcome`). */
import type { Tool } from '../catalog/tool.ts';

/** The code and the words of the refusal; undefined where there is none. Without a code at its place nothing went wrong. */
export function innerRefusal(
  where: Tool['innerOutcome'],
  answer: unknown,
): { code: string; message: string } | undefined {
  if (!where) return undefined;
  const code = at(answer, where.status);
  if (code === undefined || String(code) === String(where.ok)) return undefined;
  const message = at(answer, where.message);
  return { code: String(code), message: typeof message === 'string' ? message : '' };
}

function at(data: unknown, path: string): unknown {
  let found = data;
  for (const step of path.split('.'))
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[step] : undefined;
  return found;
}
