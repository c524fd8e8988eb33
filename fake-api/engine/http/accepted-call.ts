/** One accepted request on its way through a behaviour, with how the resources of its platform hang together. */
import type { PlatformBehaviour } from '../state/platform-behaviour.ts';
import type { AcceptedRequest } from './accepted-request.ts';
import type { Answer } from './platform-answer.ts';

export interface Call extends AcceptedRequest {
  world: PlatformBehaviour;
}

export type Behaviour = (call: Call) => Answer;
