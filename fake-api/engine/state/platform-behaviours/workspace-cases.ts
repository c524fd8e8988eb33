/** A comment on a support case of the workspace is on the list of its comments. */
import { USERNAME } from '../../http/account.ts';
import { addRow } from '../added-row.ts';
import { isoSeconds } from '../clock.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';
import { newId } from '../stored-rows.ts';

const COMMENTS = 'case-comments';

function commented(of: TaskCall, supportCase: Subject | null): Values {
  if (supportCase === null) return {};
  const now = isoSeconds(of.state.clock.ms);
  const commentId = newId(of.state, 'workspace', COMMENTS).uuid();
  addRow(of, COMMENTS, [supportCase.id, commentId], {
    commentId,
    author: USERNAME,
    fromSupport: false,
    text: String(of.input['text']),
    writtenAt: now,
  });
  return { commentId, addedAt: now };
}

export const CASE_DEEDS: Readonly<Record<string, typeof commented>> = { commentSupportCase: commented };
