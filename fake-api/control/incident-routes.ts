/** The part of the control port that lists, starts and ends incidents. */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Incident, incidentNames, readIncident } from '../incidents/incident-file.ts';
import { endIncident, type RunningIncident, runningIncident, startIncident } from '../incidents/running-incident.ts';
import { type At, ControlRefusal, existing, readBody } from './control-request.ts';
import type { IncidentStartedAnswer, IncidentsAnswer } from './ledger.ts';
import type { Namespaces } from './namespaces.ts';

export const IncidentName = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' });
const checkBody = Compile(Type.Object({ name: IncidentName }, { additionalProperties: false }));

export function addIncidentRoutes(server: FastifyInstance, namespaces: Namespaces): void {
  server.get<At>('/namespaces/:namespace/incidents', async (request): Promise<IncidentsAnswer> => {
    const { state } = existing(namespaces, request.params.namespace);
    const incidents = await Promise.all((await incidentNames()).map((name) => readIncident(name)));
    return {
      incidents: incidents.map(({ name, about }) => ({
        name,
        about,
        startedAt: runningIncident(state, name)?.startedAt ?? null,
      })),
    };
  });
  server.post<At>('/namespaces/:namespace/incidents', async (request): Promise<IncidentStartedAnswer> => {
    const { state } = existing(namespaces, request.params.namespace);
    const { name } = readBody(checkBody, request.body ?? '');
    const incident = await knownIncident(name);
    const running = runningIncident(state, name);
    if (running !== undefined)
      throw new ControlRefusal(
        409,
        'INCIDENT_RUNS',
        `name: expected an incident that does not run, got "${name}", which runs since ${running.startedAt}`,
      );
    return startedAnswer(incident, startIncident(state, incident));
  });
  server.delete<At & { Params: { name: string } }>('/namespaces/:namespace/incidents/:name', async (request) => {
    const { state } = existing(namespaces, request.params.namespace);
    const { name } = await knownIncident(request.params.name);
    if (runningIncident(state, name) === undefined)
      throw new ControlRefusal(
        409,
        'INCIDENT_RUNS_NOT',
        `name: expected an incident that runs, got "${name}", which does not`,
      );
    return { name, rowsPutBack: endIncident(state, name) };
  });
}

async function knownIncident(name: string): Promise<Incident> {
  const known = await incidentNames();
  if (known.includes(name)) return await readIncident(name);
  throw new ControlRefusal(404, 'UNKNOWN_INCIDENT', `name: expected one of ${known.join(', ')}, got "${name}"`);
}

/** How many rows of each resource changed, and what the cause is. */
function startedAnswer(
  { name, about, cause }: Incident,
  { startedAt, changes }: RunningIncident,
): IncidentStartedAnswer {
  const rows: IncidentStartedAnswer['rows'] = {};
  for (const { platform, resource } of changes) {
    const own = rows[platform] ?? {};
    rows[platform] = { ...own, [resource]: (own[resource] ?? 0) + 1 };
  }
  return { name, about, cause: cause.says, startedAt, rows };
}
