/** interop_normalise_trend: a time series of any platform in one form. */
import { type Static, Type } from '../../../config/schema.ts';
import { RouterError } from '../../../errors.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    series: Type.Unsafe<unknown>({ description: 'The answer of a trend tool, or its list of samples' }),
    metric: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Field to keep where samples hold several numbers' }),
    ),
    unit: Type.Optional(
      Type.String({ minLength: 1, maxLength: 32, description: 'Unit of the numbers where their name does not say it' }),
    ),
    interval_seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 604_800, description: 'Step to average over; default as sampled' }),
    ),
  },
  { additionalProperties: false },
);

export default {
  name: 'interop_normalise_trend',
  backend: 'interop',
  toolset: 'interop',
  capability: 'read',
  line: 'Normalise a trend (time series) of any platform: UTC times, one unit, an even step, named gaps, a summary.',
  more: 'Makes trends of several platforms comparable; at most 500 points. Calls nothing.',
  input: Input,
  search: { aliases: ['compare trends', 'resample a time series', 'align time series'], questions: [] },
  open:
    () =>
    async ({ series, metric, unit, interval_seconds }: Static<typeof Input>) => {
      const { normaliseTrend } = await import('../../../interop/trend-table.ts');
      const trend = normaliseTrend(series, { metric, unit, intervalSeconds: interval_seconds });
      if (!('problem' in trend)) return trend;
      const { problem, metrics } = trend;
      const details = {
        pointer: metrics ? '/metric' : '/series',
        expected: metrics?.join(', ') ?? 'a series',
        got: problem,
      };
      throw new RouterError('ARGUMENTS_INVALID', `${problem}${metrics ? `: ${metrics.join(', ')}` : ''}`, { details });
    },
} satisfies LocalTool<Static<typeof Input>>;
