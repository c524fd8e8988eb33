/** A caller without a connection: no approver and no listener. */
import type { Caller } from '../../tools/public/public-tool.ts';
import { nobody } from './approvers.ts';

export const SILENT_CALLER: Caller = {
  principal: 'local',
  approver: nobody,
  progress: async () => {},
  log: async () => {},
  context: {} as Caller['context'],
};
