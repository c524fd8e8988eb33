/** How one answer served one question. */
import { CAPABILITIES, type Capability } from '../../../access/access-policy.ts';
import type { Tool } from '../../../catalog/tool.ts';
import type { Query } from './question-set.ts';

/** Hits that are looked at. */
export const DEPTH = 10;

export interface Score {
  query: Query;
  /** Names of the hits, best first. */
  names: readonly string[];
  /** Place of the first right tool among the hits, judged ones counted, from 1; 0 when there is none. */
  rank: number;
  /** Every tool that is needed is among the hits: of several needs the writer's own tools, of one any right tool. */
  all: boolean;
  ndcg: number;
  /** The top hit is more dangerous than what was asked for. */
  escalates: boolean;
  /** A reading was asked for and the top hit changes something. */
  writesForRead: boolean;
  /** Capability of the top hit. */
  top?: Capability;
  /** The answer came with a word of caution. */
  noted?: boolean;
  tokens?: number;
  bytes?: number;
}

export function scoreOf(query: Query, hits: readonly Pick<Tool, 'name' | 'capability'>[]): Score {
  const shown = hits.slice(0, DEPTH);
  const names = shown.map(({ name }) => name);
  const needs = needsOf(query);
  const open = new Set(needs);
  let gain = 0;
  let rank = 0;
  names.forEach((name, i) => {
    // One hit serves one need: of two needs that share a tool, the second wants another.
    const served = [...open].find((group) => group.includes(name));
    if (served !== undefined || query.judged?.includes(name)) rank ||= i + 1;
    if (served === undefined) return;
    open.delete(served);
    gain += discount(i);
  });
  const best = needs.slice(0, DEPTH).reduce((sum, _, i) => sum + discount(i), 0);
  const top = shown[0]?.capability;
  const danger = top === undefined ? -1 : CAPABILITIES.indexOf(top);
  return {
    query,
    names,
    rank,
    all: open.size === 0,
    ndcg: gain / best,
    escalates: danger > CAPABILITIES.indexOf(query.capability),
    ...(top === undefined ? {} : { top }),
    writesForRead: query.capability === 'read' && (top === 'write' || top === 'destructive'),
  };
}

/**
 * A tool that was judged right serves a single need like the tool that the author named. Of several needs it is
 * unknown which one it serves.
 */
function needsOf({ gold, judged = [] }: Query): string[][] {
  const [only] = gold;
  return only !== undefined && gold.length === 1 ? [[...only, ...judged]] : gold;
}

const discount = (i: number) => 1 / Math.log2(i + 2);
