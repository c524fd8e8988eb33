/** The OpenID provider of the console: a private client secret, a configuration of its own, keys, and somebody who may sign in there. */
import { Operators } from '../../approvals/operators.ts';
import type { ConsoleBinding, OidcSettings } from '../../config/approval-settings.ts';
import type { Config } from '../../config/config.ts';
import { consoleClientSecret } from '../../config/console-client-secret.ts';
import { Egress } from '../../egress/egress.ts';
import { RouterError } from '../../errors.ts';
import { providerConfiguration, providerKeys } from '../../oidc/sign-in-provider.ts';
import { type Check, type Finding, fail, ok, warn } from '../doctor-check.ts';
import type { Command } from '../installation.ts';

const SUBJECT = 'operator sign-in';
const REMEDY = 'correct the SVC_MCP_CONSOLE_OIDC_ variables, or let the router reach the provider';

export default {
  id: 'operator-sign-in',
  order: 266,
  inside: true,
  needs: 'config',
  look: async ({ config, command }) => {
    if (config instanceof RouterError) return [];
    const { console } = config.approvals;
    if (console === undefined) return [ok(SUBJECT, 'none: there is no console')];
    if (console.oidc === undefined) return [ok(SUBJECT, 'by password')];
    try {
      return [await foundAt(console, console.oidc, config, command)];
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      return [fail(SUBJECT, error.message, error.code === 'CONFIG_INVALID' ? error.remedy : REMEDY)];
    }
  },
} satisfies Check;

async function foundAt(
  { url }: ConsoleBinding,
  oidc: OidcSettings,
  config: Config,
  command: Command,
): Promise<Finding> {
  const { issuer, clientId, clientSecretPath } = oidc;
  if (clientSecretPath !== undefined) consoleClientSecret(clientSecretPath);
  const egress = new Egress({ listed: config.egress, network: config.network });
  const { keys } = await providerKeys(egress, await providerConfiguration(egress, issuer));
  const people = new Operators(config.approvals.operatorsPath).namesAt(issuer);
  if (people.length === 0)
    return warn(
      SUBJECT,
      `no operator signs in at ${issuer}`,
      command('approvals', 'operator-add', 'NAME', '--oidc-subject', 'SUBJECT'),
    );
  const count = `${people.length} ${people.length === 1 ? 'operator' : 'operators'}`;
  return ok(SUBJECT, `${count} at ${issuer}, ${keys.length} keys, client ${clientId}, back to ${url}`);
}
