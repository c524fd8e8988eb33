/** `incident list|start|stop` on the command line: asks the control port of a running fake. */
import type { Command } from 'commander';
import { FakeApiError } from '../fake-errors.ts';
import { DEFAULT_NAMESPACE } from './default-namespace.ts';
import type { IncidentStartedAnswer, IncidentsAnswer } from './ledger.ts';

interface Place {
  namespace: string;
  control: string;
}

/** Adds the command and its three verbs. Errors reach the caller of `parseAsync` as `FakeApiError`. */
export function addIncidentCommand(command: Command): void {
  const incident = command.command('incident').description('list, start and stop incidents of a running fake');
  const verb = (usage: string, about: string): Command =>
    incident
      .command(usage)
      .description(about)
      .option('--namespace <name>', 'namespace of the fake', DEFAULT_NAMESPACE)
      .option('--control <url>', 'address of its control port', 'http://127.0.0.1:8021');
  verb('list', 'every incident, with a mark at those that run').action(async (place: Place) => {
    const { incidents } = await ask<IncidentsAnswer>(place, 'GET', '');
    for (const { name, about, startedAt } of incidents)
      console.log(`${startedAt === null ? ' ' : '*'} ${name.padEnd(30)} ${about}`);
  });
  verb('start <name>', 'let an incident happen now').action(async (name: string, place: Place) => {
    const { about, cause, rows } = await ask<IncidentStartedAnswer>(place, 'POST', '', { name });
    console.log(`${name}: ${about}`);
    for (const [platform, own] of Object.entries(rows))
      console.log(
        `  ${platform.padEnd(10)} ${Object.entries(own)
          .map(([resource, count]) => `${resource} ${count}`)
          .join(', ')}`,
      );
    console.log(`cause: ${cause}`);
  });
  verb('stop <name>', 'put back what an incident changed').action(async (name: string, place: Place) => {
    const { rowsPutBack } = await ask<{ rowsPutBack: number }>(place, 'DELETE', `/${encodeURIComponent(name)}`);
    console.log(`${name} ended, ${rowsPutBack} rows are as before`);
  });
}

async function ask<T>({ control, namespace }: Place, method: string, path: string, body?: object): Promise<T> {
  const url = `${control.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/incidents${path}`;
  let response: Response;
  try {
    response = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch (cause) {
    const problem = (cause as { cause?: { code?: string } }).cause?.code ?? (cause as Error).message;
    throw new FakeApiError('CONTROL_UNREACHABLE', { url: control, problem }, { cause });
  }
  const answer = (await response.json().catch(() => ({ message: `status ${response.status}` }))) as {
    message?: string;
  };
  if (!response.ok)
    throw new FakeApiError('CONTROL_REFUSED', { problem: answer.message ?? `status ${response.status}` });
  return answer as T;
}
