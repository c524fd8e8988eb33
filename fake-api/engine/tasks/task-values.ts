/** What is known of a started task, in the words of the platform that started it. */
import { filled } from '../openapi/route-template.ts';
import type { AsyncStyle } from '../openapi/served-operation.ts';
import type { Platform } from '../openapi/served-platform.ts';
import type { Values } from '../state/platform-behaviour.ts';
import type { Task } from '../state/state.ts';

/** Where a task is polled: below its action, or at the one place of all tasks. */
export function locationOf(platform: Platform, task: Task): string {
  const style = platform.byId.get(task.operationId)?.async;
  const poll = style == null ? undefined : platform.byId.get(style.poll);
  if (poll === undefined) return filled(`${task.template}/{task}`, [...task.values, task.id]);
  return filled(poll.template, poll.pathNames.length === 1 ? [task.id] : [...task.values, task.id]);
}

/** A task under every name that a platform's objects may have for what is known of it. */
export function taskValues(style: AsyncStyle, task: Task, location: string): Values {
  const progress = task.polls === 0 ? 0 : task.endedAt === null ? 50 : 100;
  const facts: Values = {
    id: task.id,
    status: task.status,
    start: task.startedAt,
    end: task.endedAt,
    progress,
    reason: task.reason ?? null,
    output: task.output,
    location,
  };
  const named = Object.entries(style.values ?? {}).map(([name, meaning]) => [name, facts[meaning]]);
  return {
    taskId: task.id,
    id: task.id,
    'task-id': task.id,
    location,
    progressPercent: progress,
    progress,
    startTime: task.startedAt,
    startedAt: task.startedAt,
    endTime: task.endedAt,
    failReason: task.reason ?? null,
    output: task.output,
    [style.state]: task.status,
    ...Object.fromEntries(named),
  };
}
