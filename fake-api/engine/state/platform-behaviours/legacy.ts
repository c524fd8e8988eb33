/** The legacy controller: an order to delete users takes them from the user table. */
import { NO_PLATFORM_BEHAVIOUR, type PlatformBehaviour } from '../platform-behaviour.ts';
import { deleteUsers } from './legacy-users.ts';

const legacyBehaviour: PlatformBehaviour = { ...NO_PLATFORM_BEHAVIOUR, effect: deleteUsers };

export default legacyBehaviour;
