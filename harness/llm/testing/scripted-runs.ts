/** Three scenarios of the suites as a model would solve them: read, change, change with a secret. */
import type { Move, Script } from './script.ts';

const PATCH_WLAN = 'mgmt_update_wlan_ssid';

const find =
  (query: string): Move =>
  () => ({ call: 'find_tool', arguments: { query, top_k: 3 } });
/** The facts that the contract asks for, from what the last call gave. */
const answer =
  (facts: (result: Json) => Json): Move =>
  ({ result }) => ({ answer: facts(result as Json) });

type Json = Record<string, unknown>;

/** Of a change that was applied. */
const objectIn = (result: Json): Json => result['object'] as Json;

const wlanChange = (ssid: string, body: object): Record<string, unknown> => ({ ssid, body });

/** The plan token of the preview before it. */
const planTokenIn = (result: unknown): string => (result as { plan_token: string }).plan_token;

function change(
  argumentsOf: (said: Record<string, string>) => Record<string, unknown>,
  facts: (object: Json) => Json,
): Move[] {
  return [
    find('change a wireless network'),
    ({ said }) => ({
      call: 'invoke_tool',
      arguments: { name: PATCH_WLAN, arguments: { ...argumentsOf(said), dry_run: true } },
    }),
    ({ said, result }) => {
      const applied = { ...argumentsOf(said), dry_run: false, confirm: true, plan_token: planTokenIn(result) };
      return { call: 'invoke_tool', arguments: { name: PATCH_WLAN, arguments: applied } };
    },
    answer((result) => facts(objectIn(result))),
  ];
}

export const SCRIPTS: Script[] = [
  {
    intent: /Which (?<severity>\w+) alerts are (?<status>\w+) right now/,
    moves: [
      find('list alerts'),
      ({ said }) => {
        const filter = `severity eq '${said['severity']}' and status eq '${said['status']}'`;
        return { call: 'invoke_read_tool', arguments: { name: 'mgmt_list_alerts', arguments: { filter } } };
      },
      answer(({ items }) => ({
        alerts: (items as Json[]).map(({ alertId, summary }) => ({ id: alertId, summary })),
      })),
    ],
  },
  {
    intent: /Hide the SSID of the wireless network (?<ssid>\S+) so/,
    moves: change(
      (said) => wlanChange(said['ssid'] ?? '', { 'hide-ssid': true }),
      (wlan) => ({ network: wlan['ssid'], hidden: wlan['hide-ssid'] }),
    ),
  },
  {
    intent: /passphrase on the wireless network (?<ssid>\S+), it is "(?<phrase>[^"]+)"/,
    moves: change(
      (said) => wlanChange(said['ssid'] ?? '', { 'personal-security': { 'wpa-passphrase': said['phrase'] } }),
      (wlan) => ({ network: wlan['ssid'], security_mode: wlan['opmode'] }),
    ),
  },
];
