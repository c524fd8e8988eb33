/**
 * Tokens that finding saves against listing every tool: the full list, less the list this subject shows and every
 * discovery call with its answer. Negative where finding cost more. Nothing where the full list was not measured.
 */
import { tokensOf } from '../../recording/token-count.ts';
import { discoveryCalls } from '../../recording/tool-searches.ts';
import type { Metric } from '../metric.ts';
import toolDefinitions from './tool-definition-tokens.ts';

export default {
  id: 'tokens-saved',
  title: 'Tokens saved',
  unit: 'tokens',
  better: 'higher',
  gate: 'shown',
  measure: (recording) => {
    const full = recording.subject.directListingTokens;
    const shown = toolDefinitions.measure(recording);
    if (full === undefined || shown === null) return null;
    const finding = discoveryCalls(recording).reduce(
      (sum, { message }) => sum + tokensOf(message.sent) + tokensOf(message.received),
      0,
    );
    return full - shown - finding;
  },
} satisfies Metric;
