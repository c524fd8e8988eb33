/** What actions of the management cloud do, and why one of them cannot be done, by operation id in small letters. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import type { Answer } from '../../http/platform-answer.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';
import { CLASSIC_DEEDS } from './mgmt-classic.ts';
import { CLUSTER_DEEDS, CLUSTER_PROBLEMS } from './mgmt-clusters.ts';
import { COMMUNITY_DEEDS, COMMUNITY_PROBLEMS } from './mgmt-communities.ts';
import { FLOOR_DEEDS, FLOOR_PROBLEMS } from './mgmt-floors.ts';
import { GRANTS } from './mgmt-grants.ts';
import { LICENCE_DEEDS } from './mgmt-licences.ts';
import { MEMBERSHIP } from './mgmt-membership.ts';
import { NEIGHBOUR_DEEDS, NEIGHBOUR_PROBLEMS } from './mgmt-neighbours.ts';
import { ONBOARDING_DEEDS, ONBOARDING_PROBLEMS } from './mgmt-onboarding.ts';
import { SESSION_DEEDS, SESSION_PROBLEMS } from './mgmt-remote-sessions.ts';
import { REPORT_DEEDS } from './mgmt-report-runs.ts';
import { TENANT_DEEDS } from './mgmt-tenant-devices.ts';

export const DEEDS: ReadonlyMap<string, (of: TaskCall, subject: Subject | null) => Values> = new Map([
  ...MEMBERSHIP,
  ...CLASSIC_DEEDS,
  ...LICENCE_DEEDS,
  ...GRANTS,
  ...TENANT_DEEDS,
  ...REPORT_DEEDS,
  ...SESSION_DEEDS,
  ...ONBOARDING_DEEDS,
  ...NEIGHBOUR_DEEDS,
  ...FLOOR_DEEDS,
  ...COMMUNITY_DEEDS,
  ...CLUSTER_DEEDS,
]);

export const PROBLEMS: ReadonlyMap<string, (call: AcceptedRequest, subject: Subject | null) => Answer | null> = new Map(
  [
    ...SESSION_PROBLEMS,
    ...ONBOARDING_PROBLEMS,
    ...NEIGHBOUR_PROBLEMS,
    ...FLOOR_PROBLEMS,
    ...COMMUNITY_PROBLEMS,
    ...CLUSTER_PROBLEMS,
  ],
);
