/** Ways in which a principal narrows the server, taken out. Each must give deviations in the cells of the principals. */
import { type AccessMutant, one } from './access-mutant.ts';

const POLICY = 'access/access-policy.ts';
const ofPrincipals = (name: string, layer: AccessMutant['layer'], from: string, to: string): AccessMutant => ({
  ...one(name, layer, POLICY, from, to),
  callers: 'principals',
});

export const PRINCIPAL_MUTANTS: readonly AccessMutant[] = [
  ofPrincipals(
    'a principal uses every platform',
    'dispatch',
    'platforms !== undefined && !platforms.has(id) && !isAlwaysOn(id);',
    'platforms !== undefined && platforms.size === 0;',
  ),
  ofPrincipals(
    'a principal uses every capability',
    'dispatch',
    'capabilities?.has(capability) === false) return HIDDEN;',
    'capabilities?.size === 0) return HIDDEN;',
  ),
  ofPrincipals(
    'a principal is shown what it may not use',
    'find',
    'const HIDDEN: Decision = Object.freeze({ visible: false, allowed: false });',
    'const HIDDEN: Decision = Object.freeze({ visible: true, allowed: false });',
  ),
  ofPrincipals(
    'the profile of a principal is not looked at',
    'dispatch',
    "if (profile === 'safe-read-only') return { visible: false, allowed: false, gate: shut };",
    '',
  ),
  ofPrincipals(
    'a principal writes wherever the server does',
    'dispatch',
    'gates === undefined || gate.source',
    'gates !== null || gate.source',
  ),
  {
    ...one(
      'a list is the same for everybody',
      'list',
      'tools/public/surface.ts',
      'return visible && (allowed || missingScope !== undefined);',
      'return visible || access !== undefined;',
    ),
    callers: 'principals',
  },
];
