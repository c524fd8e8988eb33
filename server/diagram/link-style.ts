/** How links and states look, the same in every export. */
import type { DiagramLink, State } from './model.ts';

const STATE_COLOURS: Record<State, string> = {
  up: '#2e7d32',
  degraded: '#b26a00',
  down: '#b00020',
  unknown: '#6b7280',
};
const DASHES: Record<NonNullable<DiagramLink['kind']>, string> = {
  wired: '',
  aggregate: '',
  wireless: '2 5',
  tunnel: '9 5',
  logical: '1 4',
};

export const LINK_COLOUR = '#64748b';

export function stateColour(state: State | undefined, otherwise: string): string {
  return state === undefined ? otherwise : STATE_COLOURS[state];
}

export function linkStyle({ kind = 'wired', state }: DiagramLink): { colour: string; dash: string; width: number } {
  return { colour: stateColour(state, LINK_COLOUR), dash: DASHES[kind], width: kind === 'aggregate' ? 4 : 1.6 };
}

/** The text on a link: its label, or the ports it joins. */
export function linkText({ label, from_port, to_port }: DiagramLink): string {
  const ports = [from_port, to_port].filter(Boolean).join(' – ');
  return [label, ports].filter(Boolean).join(' · ');
}
