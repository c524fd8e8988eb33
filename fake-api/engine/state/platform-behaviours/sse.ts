/** The security edge forgets all enrolled devices of a person whose devices are reset. */
import {
  NO_PLATFORM_BEHAVIOUR,
  type PlatformBehaviour,
  type Subject,
  type TaskCall,
  type Values,
} from '../platform-behaviour.ts';
import { removeRows } from '../removed-rows.ts';

function forgetDevices(of: TaskCall, person: Subject | null): Values {
  if (of.operationId !== 'resetUserDevices' || person === null) return {};
  return { forgotten: removeRows(of, 'enrolled-devices', ({ value }) => value['owner'] === person.id).length };
}

const sseBehaviour: PlatformBehaviour = { ...NO_PLATFORM_BEHAVIOUR, effect: forgetDevices };

export default sseBehaviour;
