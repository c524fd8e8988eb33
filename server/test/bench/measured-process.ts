/** A server as a process: how long until it answers, how much memory it holds. */
import { readFileSync } from 'node:fs';
import { startChild } from '../support/child-process.ts';
import { modernMessage } from '../support/modern-client.ts';

export interface Started {
  /** From the start of the process to the answer of tools/list. */
  ms: number;
  call: (name: string, args: Record<string, unknown>) => Promise<string>;
  /** Resident memory in MB; undefined where the system does not say. */
  residentMb: () => number | undefined;
  stop: () => Promise<void>;
}

export async function start(file: string, words: readonly string[], env: Record<string, string>): Promise<Started> {
  const began = performance.now();
  const child = await startChild(file, words, env);
  const url = String(child.ready['url']);
  const answer = await post(url, 'tools/list', {});
  const ms = performance.now() - began;
  if (!/"tools"/.test(answer)) throw new Error(`${file} should answer tools/list, got ${answer.slice(0, 200)}`);
  return {
    ms,
    call: (name, args) => post(url, 'tools/call', { name, arguments: args }),
    residentMb: () => residentMb(child.process.pid ?? 0),
    stop: async () => void (await child.stop()),
  };
}

async function post(url: string, method: string, params: Record<string, unknown>): Promise<string> {
  const { headers, body } = modernMessage(method, params, { capabilities: {} });
  const response = await fetch(url, { method: 'POST', headers: { ...headers, connection: 'close' }, body });
  return response.text();
}

function residentMb(pid: number): number | undefined {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}
