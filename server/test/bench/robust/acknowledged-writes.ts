/** Writes whose outcome is known twice: from what the router acknowledged, and from the ledger of the fake behind it. */
import { demoAccount, type FakeProcess, startFake } from '../../support/child-process.ts';
import { mcpRequest, messageOf, textOf, type Wire } from '../../support/mcp-wire.ts';

const TOOL = 'mgmt_create_auth_server';
const COLLECTION = '/network-config/v1alpha1/auth-servers/';

export interface WrittenTwice {
  acknowledged: number;
  /** Acknowledged, and the fake knows nothing of them. */
  lost: string[];
  /** Done more than once. */
  doubled: string[];
  /** The write was done without an answer: the connection was cut between the platform's answer and ours. */
  untold: number;
}

/** Objects under names of the caller's, each created at most once. */
export class Writes {
  readonly #fake: FakeProcess;
  readonly #acknowledged = new Set<string>();

  private constructor(fake: FakeProcess) {
    this.#fake = fake;
  }

  static async start(): Promise<Writes> {
    return new Writes(await startFake('mgmt'));
  }

  /** For a router that may write to the fake, and asks no person. */
  get env(): Record<string, string> {
    return {
      ...demoAccount(this.#fake.base),
      SVC_MCP_MGMT_WRITES: '1',
      SVC_MCP_CONFIRMATION: 'token',
    };
  }

  /** Previews and applies one creation; rejects when the connection is lost on the way. `asking` is told of each request. */
  async create(
    wire: Wire,
    bearer: string,
    name: string,
    asking: () => void,
  ): Promise<'done' | 'stopping' | { wrong: string }> {
    const body = { name, type: 'XMLAPI', 'auth-server-address': '10.0.0.1' };
    asking();
    const preview = await this.#call(wire, bearer, { name, body, dry_run: true });
    if (preview.status === 503) return 'stopping';
    const { plan_token } = preview.said;
    if (typeof plan_token !== 'string') return { wrong: preview.text };
    asking();
    const applied = await this.#call(wire, bearer, { name, body, dry_run: false, confirm: true, plan_token });
    if (applied.status === 503) return 'stopping';
    if (applied.status !== 200 || applied.isError) return { wrong: applied.text };
    this.#acknowledged.add(name);
    return 'done';
  }

  async #call(wire: Wire, bearer: string, args: object) {
    const params = { name: 'invoke_tool', arguments: { name: TOOL, arguments: args } };
    const answer = await wire.ask(mcpRequest({ era: '2026-07-28', id: 1, bearer, method: 'tools/call', params }));
    const { result } = (messageOf(answer) ?? {}) as { result?: { isError?: boolean; content: { text: string }[] } };
    const said = JSON.parse(result?.content[0]?.text ?? '{}') as Record<string, unknown>;
    // What is no result of a tool is told as it came.
    const text = `${answer.status} ${(textOf(answer) || answer.body).slice(0, 300)}`;
    return { status: answer.status, isError: result?.isError === true, said, text };
  }

  async judged(): Promise<WrittenTwice> {
    const url = `${String(this.#fake.ready['control'])}/namespaces/default/ledger`;
    const { entries } = (await (await fetch(url)).json()) as {
      entries: { method: string; path: string; status: number }[];
    };
    const done = new Map<string, number>();
    for (const { method, path, status } of entries) {
      if (method !== 'POST' || !path.startsWith(COLLECTION) || status >= 300) continue;
      const name = path.slice(COLLECTION.length);
      done.set(name, (done.get(name) ?? 0) + 1);
    }
    return {
      acknowledged: this.#acknowledged.size,
      lost: [...this.#acknowledged].filter((name) => !done.has(name)),
      doubled: [...done].filter(([, times]) => times > 1).map(([name]) => name),
      untold: [...done.keys()].filter((name) => !this.#acknowledged.has(name)).length,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fake[Symbol.asyncDispose]();
  }
}
