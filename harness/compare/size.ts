/** How much a subject is given: one platform, all of them, or a public document of somebody else. */
import type { Scenario } from '../scenario/scenario.ts';

export const SIZES = ['one', 'all', 'github'] as const;
export type Size = (typeof SIZES)[number];

export const SIZE_TITLES: Record<Size, string> = {
  one: 'one platform (mgmt)',
  all: 'all ten platforms',
  github: "GitHub's REST document",
};

export const PLATFORMS = [
  'analytics',
  'cloudwlan',
  'fabric',
  'legacy',
  'mgmt',
  'nac',
  'sdwan',
  'sensors',
  'sse',
  'workspace',
];

export const platformsOf = (size: Exclude<Size, 'github'>): string[] => (size === 'one' ? ['mgmt'] : PLATFORMS);

/** Those whose platforms are all there. */
export function scenariosAt(size: Exclude<Size, 'github'>, scenarios: readonly Scenario[]): Scenario[] {
  const platforms = new Set(platformsOf(size));
  return scenarios.filter(({ platform, also = [] }) => [platform, ...also].every((id) => platforms.has(id)));
}
