/** Guards of maintenance windows and of the quotas of writes, taken out. Each must turn the tests that are named. */
import { type AccessMutant, oneTested } from './access-mutant.ts';

const WINDOWS = 'dispatch/write-windows.ts';
const QUOTA = 'dispatch/write-quota.ts';
const APPROVALS = 'dispatch/approvals.ts';
const WRITE = 'dispatch/platform-write.ts';

const clock = oneTested('dispatch/write-windows.test.ts');
const slots = oneTested('dispatch/write-quota.test.ts');
const calls = oneTested('dispatch/write-limits.test.ts');

export const WRITE_LIMIT_MUTANTS: readonly AccessMutant[] = [
  calls(
    'windows are not looked at',
    APPROVALS,
    'if (!local) this.#options.windows?.mustBeOpen(platform);',
    'if (local) this.#options.windows?.mustBeOpen(platform);',
  ),
  calls(
    'outside of a window nobody is asked',
    APPROVALS,
    "return this.#options.config.confirmation === 'token' && !this.windowRequiresApproval(requests);",
    "return this.#options.config.confirmation === 'token';",
  ),
  calls(
    'outside of a window the person at the client is enough',
    APPROVALS,
    'tooLong || this.windowRequiresApproval(requests) || operators',
    'tooLong || operators',
  ),
  {
    ...calls('a window that ends during the question does not matter', APPROVALS, '', ''),
    edits: [
      {
        file: APPROVALS,
        from: '    await this.mustAllowWrites(tool);\n    const checked',
        to: '    const checked',
      },
      {
        file: APPROVALS,
        from: '    await this.mustAllowWrites(tool);\n    return undefined;',
        to: '    return undefined;',
      },
    ],
  },
  clock(
    'a window includes the minute of its end',
    WINDOWS,
    'ahead(start, minute) < ahead(start, end)',
    'ahead(start, minute) <= ahead(start, end)',
  ),
  clock(
    'the general windows are those of every platform',
    WINDOWS,
    'const mine = own.length > 0 ? own : windows',
    'const mine = own.length > windows.length ? own : windows',
  ),
  clock('windows follow UTC in every zone', WINDOWS, 'timeZone: this.#settings.zone,', "timeZone: 'UTC',"),
  slots(
    'a slot of the hour is taken twice',
    QUOTA,
    'if (!(await this.#used.consume(slotOf(caller, platform, hour, slot), endOf(hour)))) continue;',
    'await this.#used.consume(slotOf(caller, platform, hour, slot), endOf(hour));',
  ),
  slots('the larger limit counts', QUOTA, 'Math.min(...limits)', 'Math.max(...limits)'),
  slots('all principals share one quota', QUOTA, 'digest([principal, platform])', 'digest([platform])'),
  slots('all platforms share one quota', QUOTA, 'digest([principal, platform])', 'digest([principal])'),
  slots(
    'the quota of an hour is that of a day',
    QUOTA,
    'Math.floor(this.#now() / HOUR_MS);',
    'Math.floor(this.#now() / HOUR_MS / 24);',
  ),
  calls('a write takes no slot', WRITE, 'async () => quota?.take(call, platform.id)', 'async () => {}'),
  calls(
    'a preview is made beyond the quota',
    WRITE,
    'await quota?.mustHaveLeft(admitted.call, admitted.platform.id);',
    '',
  ),
];
