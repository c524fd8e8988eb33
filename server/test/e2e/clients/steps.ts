/**
 * The steps of every client, in the same order, with one JSON line per step on stdout. Run as `node <client>.ts URL
 * TOKEN` by the test beside this folder, which knows the expected lines.
 */
export interface Answer {
  text: string;
}

export interface Client {
  /** Names of the tools that the client shows its model. */
  tools: () => Promise<string[]>;
  call: (name: string, args: Record<string, unknown>) => Promise<Answer>;
  close: () => Promise<void>;
}

export interface Step {
  step: 'list' | 'find' | 'read' | 'refused' | 'preview' | 'apply';
  [fact: string]: unknown;
}

const WRITE = 'mgmt_update_wlan_ssid';

export async function walk(open: (url: string, token: string) => Promise<Client>): Promise<void> {
  const [url, token] = process.argv.slice(2);
  if (url === undefined || token === undefined) throw new Error('usage: node <client>.ts URL TOKEN');
  const say = (step: Step) => process.stdout.write(`${JSON.stringify(step)}\n`);
  const client = await open(url, token);
  say({ step: 'list', tools: (await client.tools()).sort() });

  const found = JSON.parse((await client.call('find_tool', { query: 'list the wireless networks' })).text);
  say({ step: 'find', names: found.map(({ name }: { name: string }) => name) });

  const read = await client.call('invoke_read_tool', { name: 'mgmt_list_wlan_ssids' });
  const [wlan] = JSON.parse(read.text).items as { ssid: string; 'hide-ssid': boolean }[];
  say({ step: 'read', ssid: wlan?.ssid });

  const change = { ssid: wlan?.ssid, body: { 'hide-ssid': !wlan?.['hide-ssid'] } };
  const refused = await client.call('invoke_read_tool', { name: WRITE, arguments: change });
  say({ step: 'refused', code: JSON.parse(refused.text).code });

  const preview = JSON.parse((await client.call('invoke_tool', { name: WRITE, arguments: change })).text);
  say({ step: 'preview', status: preview.status });

  const controls = { dry_run: false, confirm: true, plan_token: preview.plan_token };
  const applied = await client.call('invoke_tool', { name: WRITE, arguments: { ...change, ...controls } });
  say({ step: 'apply', code: JSON.parse(applied.text).code ?? null });
  await client.close();
}

/** The text of a tool result, whichever client brought it. */
export function answerOf(result: unknown): Answer {
  const { content } = result as { content?: { text?: string }[] };
  return { text: content?.[0]?.text ?? '' };
}
