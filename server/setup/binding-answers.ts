/** Where the router listens and by which names it is called: the answers, and what becomes of lists that somebody edited by hand. */
import { isIP } from 'node:net';
import type { EnvValues } from '../config/env-template.ts';
import { isLoopback } from '../config/listen-address.ts';

export interface BindingAnswers {
  /** Name by which other machines call the router, beside its address. */
  hostname: string | undefined;
  /** Address to publish on; undefined for this machine only. */
  expose: string | undefined;
}

/** A zone (`fe80::1%eth0`) means something on this machine alone: no client can name it, and no allow-list takes it. */
export function addressProblem(text: string): string | undefined {
  return isIP(text) === 0 || text.includes('%')
    ? 'an IP address of this machine without a zone, as 192.0.2.7'
    : undefined;
}

/** As clients write it in the Host header: an IPv6 address in lower case and short. */
export function addressOf(text: string): string {
  return isIP(text) === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text;
}

/** From the address and the list of hosts that an earlier setup, or somebody by hand, wrote. */
export function earlierBinding(host: string | undefined, hosts: string | undefined): BindingAnswers {
  const names = entriesOf(hosts).map((entry) => entry.replace(/:(\*|\d+)$/, ''));
  return {
    hostname: names.find((name) => name !== 'localhost' && /[a-z]/i.test(name) && !name.startsWith('[')),
    expose: host !== undefined && isIP(host) !== 0 && !isLoopback(host) ? host : undefined,
  };
}

/** Lines of `.env`. What the answers leave as it was stays as it is written, and so do origins that differ from the hosts. */
export function bindingValues({ port, ...now }: BindingAnswers & { port: number }, known: EnvValues): EnvValues {
  const [host, hosts, origins] = ['MCP_HOST', 'MCP_ALLOWED_HOSTS', 'MCP_ALLOWED_ORIGINS'].map(
    (name) => known[name]?.trim() || undefined,
  );
  const before = earlierBinding(host, hosts);
  const list = changed(hosts, allowList(before), allowList(now));
  return {
    MCP_TRANSPORT: 'streamable-http',
    MCP_HOST: host !== undefined && now.expose === before.expose ? host : (now.expose ?? '127.0.0.1'),
    MCP_PORT: String(port),
    MCP_ALLOWED_HOSTS: list,
    MCP_ALLOWED_ORIGINS: origins === undefined || origins === hosts ? list : origins,
  };
}

const entriesOf = (list: string | undefined): string[] => (list ?? '').split(',').map((entry) => entry.trim());

/** The list as it is written, without what the answers no longer name and with what they name now. */
function changed(list: string | undefined, before: string, now: string): string {
  if (list === undefined) return now;
  if (before === now) return list;
  const [written, old, wanted] = [list, before, now].map(entriesOf) as [string[], string[], string[]];
  const kept = written.filter((entry) => wanted.includes(entry) || !old.includes(entry));
  return [...new Set([...kept, ...wanted.filter((entry) => !old.includes(entry))])].join(',');
}

/** Names by which the router may be called, in the port-wildcard form. */
export function allowList({ hostname, expose }: BindingAnswers): string {
  const bracketed = (name: string) => (name.includes(':') ? `[${name}]` : name);
  const names = [
    '127.0.0.1',
    'localhost',
    ...(expose && expose !== '0.0.0.0' ? [expose] : []),
    ...(hostname ? [hostname] : []),
  ];
  return [...new Set(names)].map((name) => `${bracketed(name)}:*`).join(',');
}

/** Host part of the router's URL on this machine. */
export function calledBy(expose: string | undefined): string {
  if (expose === undefined || expose === '0.0.0.0' || expose === '::') return '127.0.0.1';
  return expose.includes(':') ? `[${expose}]` : expose;
}
