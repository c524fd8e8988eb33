/** One thing that has to hold of a switch, and where it is brought about. */
import type { ToolCall } from '../../migration/adapters/adapter.ts';
import type { TargetPort } from '../../migration/target-port.ts';
import type { DeviceValues } from './journal.ts';

/** Where a device is worked on. */
export interface Site {
  source: TargetPort;
  /** The account it ends in: the same one, or the second. */
  target: TargetPort;
  targetWorkspace: string;
  /** The service that is to look after it, where the inventory does not say one. */
  service?: { id: string; region: string };
  isOpen: (platform: string) => boolean;
  facts: DeviceValues;
  learn: (facts: DeviceValues) => void;
}

export interface Goal {
  what: string;
  port: TargetPort;
  /** True when it holds, else what is there instead. */
  holds: () => Promise<true | string>;
  /** None where nothing is written: it holds or the stage fails. */
  call?: () => Promise<ToolCall>;
  /** Its write starts something that takes its time: until that has ended, it does not hold. */
  starts?: boolean;
  /** A device that restarts is away for longer. */
  slow?: boolean;
}
