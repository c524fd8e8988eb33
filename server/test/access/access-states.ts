/** The state of a caller before a write: its arguments, and the answer to the question. */
import type { Answer } from '../../dispatch/confirmation.ts';
import type { Plan } from '../../dispatch/plan-token.ts';
import type { Arguments } from '../support/every-argument.ts';

/** Where a token comes from: the plan of this very call, or one that differs from it in one thing. */
export type TokenSource = 'own' | 'none' | 'invented' | 'expired' | 'used' | ((plan: Plan) => Plan);

export interface State {
  name: string;
  controls: Arguments;
  token: TokenSource;
  answer: Answer['kind'] | 'nobody';
  /** Says the object that the preview named. */
  named?: true;
}

const APPLY = { dry_run: false, confirm: true };
const state = (name: string, controls: Arguments, token: TokenSource, answer: State['answer'] = 'yes'): State => ({
  name,
  controls,
  token,
  answer,
});

export const STATES: readonly State[] = [
  state('nothing said', {}, 'none'),
  state('dry run', { dry_run: true }, 'none'),
  state('no confirm', { dry_run: false }, 'own'),
  state('confirm is false', { dry_run: false, confirm: false }, 'own'),
  state('no token', APPLY, 'none'),
  state('invented token', APPLY, 'invented'),
  state('expired token', APPLY, 'expired'),
  state('used token', APPLY, 'used'),
  state('token of another tool', APPLY, (plan) => ({ ...plan, tool: `${plan.tool}_` })),
  state('token of other arguments', APPLY, (plan) => ({ ...plan, arguments: [plan.arguments, 'and more'] })),
  state('token of another principal', APPLY, (plan) => ({ ...plan, principal: 'somebody else' })),
  state('token from other access settings', APPLY, (plan) => ({ ...plan, access: ['other settings'] })),
  state('token of another catalog', APPLY, (plan) => ({ ...plan, catalog: 'another' })),
  state('nobody to ask', APPLY, 'own', 'nobody'),
  state('declined', APPLY, 'own', 'declined'),
  state('cancelled', APPLY, 'own', 'cancelled'),
  state('agreed', APPLY, 'own'),
  { ...state('agreed, object named', APPLY, 'own'), named: true },
];

/** What a read or a diagnostic makes of them cannot differ more than this. */
export const PLAIN_STATES: readonly State[] = STATES.filter(({ name }) =>
  ['nothing said', 'dry run', 'agreed'].includes(name),
);
