/** Support tickets of the cloud WLAN: a comment is in the ticket, and a file is among its attachments. */
import { USERNAME } from '../../http/account.ts';
import { addRow } from '../added-row.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import { rowId, rowParts } from '../collection.ts';
import { isObject, type JsonObject, textList } from '../json-value.ts';
import { statedFacts } from '../observed-facts.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';
import { newId } from '../stored-rows.ts';

const PLATFORM = 'cloudwlan';
const FILES = 'org-tickets-attachments';

function commented(of: TaskCall, ticket: Subject): Values {
  const now = isoSeconds(of.state.clock.ms);
  const comment = {
    author: `${USERNAME}@harbour.example`,
    created_at: now,
    text: String(of.input['comment']),
    attachment_ids: [],
  };
  const before = (ticket.values['comments'] ?? []) as JsonObject[];
  changeRow(of, ticket.resource.name, ticket.id, { comments: [...before, comment], updated_at: now });
  return { comment_id: newId(of.state, PLATFORM, 'comments').uuid(), status: ticket.values['status'] };
}

function attached(of: TaskCall, ticket: Subject): Values {
  const id = newId(of.state, PLATFORM, FILES).uuid();
  const { name, file } = of.input;
  const before = filesOf(of, ticket);
  addRow(of, FILES, [...rowParts(ticket.id), ''], {
    names: [...textList(before['names']), String(name)],
    urls: [...textList(before['urls']), `https://tickets.harbour.example/files/${id.slice(0, 6)}/${name}`],
    total_bytes: (Number(before['total_bytes']) || 0) + Buffer.byteLength(String(file)),
  });
  changeRow(of, ticket.resource.name, ticket.id, { updated_at: isoSeconds(of.state.clock.ms) });
  return { attachment_id: id };
}

/** As a reader sees them: the bundle states the first files of a ticket, until one is added. */
function filesOf(of: TaskCall, ticket: Subject): Values {
  const rows = of.state.rows(PLATFORM, FILES);
  const id = rowId([...rowParts(ticket.id), '']);
  const row = rows.get(id);
  const stated = row === rows.original(id) ? statedFacts(of, FILES, 'singleton-get') : undefined;
  return { ...row?.value, ...(isObject(stated) ? stated : {}) };
}

/** By operation id. */
const DEEDS: ReadonlyMap<string, typeof commented> = new Map([
  ['commentOrgTicket', commented],
  ['attachOrgTicket', attached],
]);

export function deedOnTicket(of: TaskCall, ticket: Subject | null): Values {
  return ticket === null ? {} : (DEEDS.get(of.operationId)?.(of, ticket) ?? {});
}
