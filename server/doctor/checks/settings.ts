/** Each variable by itself: does its value have the form that the one list of variables asks for? */
import { VARIABLES, type VariableName } from '../../config/variables.ts';
import { RouterError } from '../../errors.ts';
import { type Check, fail, ok } from '../doctor-check.ts';

export default {
  id: 'settings',
  order: 70,
  look: ({ environment }) => {
    if (environment === undefined)
      return [fail('settings', 'cannot be read, because .env cannot', 'correct .env first')];
    const names = Object.keys(VARIABLES) as VariableName[];
    const wrong = names.flatMap((name) => {
      try {
        environment.check(name);
        return [];
      } catch (error) {
        if (!(error instanceof RouterError)) throw error;
        return [fail(name, error.message, `correct the value, or remove it to use the default`)];
      }
    });
    const set = names.filter((name) => environment.set(name) !== undefined).length;
    return wrong.length > 0 ? wrong : [ok('settings', `${set} of ${names.length} are set, all in the right form`)];
  },
} satisfies Check;
