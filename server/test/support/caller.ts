/** A caller without a connection: nobody to ask, nobody who listens. */
import type { Caller } from '../../tools/public/public-tool.ts';
import { nobody } from './approvers.ts';

export const SILENT_CALLER: Caller = {
  principal: 'local',
  approver: nobody,
  progress: async () => {},
  log: async () => {},
  context: {} as Caller['context'],
};
