/** The data-centre fabric: templates that are applied to ports are on them. */
import { NO_PLATFORM_BEHAVIOUR, type PlatformBehaviour } from '../platform-behaviour.ts';
import { applyTemplates } from './fabric-templates.ts';

const fabricBehaviour: PlatformBehaviour = { ...NO_PLATFORM_BEHAVIOUR, effect: applyTemplates };

export default fabricBehaviour;
