import { describe, expect, test } from 'vitest';
import { ASYNC, modelTestbed, VLANS } from '../../test/model-testbed.ts';

const CRUD = `${VLANS}    ops: crud\n`;
const SHARED = `
    poll: /api/jobs/{task}
    id: [Job, Jobs]
    noun: [job, jobs]
    questions: [is it done]
    distinguish: one job, whatever started it`;

describe('what is staged', () => {
  test('needs a stage of the platform', () => {
    expect(() => modelTestbed(CRUD, {}, 'staged: true')).toThrow(/expected stage: in platform.yaml for what is staged/);
  });

  test('keeps the parameter of its view to itself', () => {
    const stage = '{key: null, view: {parameter: mtu, edited: one, committed: two}}';
    const filtered = CRUD.replace('=1500', '=1500 filter(eq)');
    expect(() => modelTestbed(filtered, { stage }, 'staged: true')).toThrow(/expected list parameters other than mtu/);
  });

  test('has the view on reads and the note of its stage on everything', () => {
    const stage = '{key: path, view: {parameter: state, edited: staging, committed: deployed}}';
    const item = modelTestbed(CRUD, { stage }, 'staged: true').documents['things']?.paths['/api/vlans/{name}'];
    const [get, patch] = [item?.['get'], item?.['patch']] as Record<string, unknown>[];
    expect(get?.['parameters']).toContainEqual(expect.objectContaining({ name: 'state', in: 'query' }));
    expect(patch?.['parameters']).not.toContainEqual(expect.objectContaining({ name: 'state' }));
    expect(patch?.['x-svc-stage']).toEqual({ key: 'path', view: null });
    expect(patch?.['x-svc-resource']).toMatchObject({ staged: true });
  });
});

describe('what takes its time', () => {
  test('needs async: of the platform', () => {
    const slow = `${CRUD}    actions: {test: {does: try it, title: test, async: true}}\n`;
    expect(() => modelTestbed(slow)).toThrow(/expected async: in platform.yaml for what takes its time/);
  });

  test('as a deletion needs one poll for all tasks', () => {
    const styles = '{plain: {delete: {body: task}}}';
    expect(() => modelTestbed(CRUD, { async: ASYNC, styles })).toThrow(/expected one poll path for all tasks/);
  });

  test('names only fields that its objects have', () => {
    const async = ASYNC.replace('found: output', 'outcome: output') + SHARED;
    expect(() => modelTestbed(CRUD, { async })).toThrow(/fields of Started or Polled, got outcome/);
  });
});

describe('an object-style write', () => {
  test('needs its words in the style, and somebody who loses something', () => {
    const objects = `${VLANS}    ops: LS\n`;
    expect(() => modelTestbed(objects)).toThrow(/expected set: in the style plain for the letter S/);
    const harmless = objects.replace(/ {4}impact: .*\n/, '');
    expect(() => modelTestbed(harmless, { styles: '{plain: {set: {field: _action}}}' })).toThrow(
      /expected the key impact, since delete destroys/,
    );
  });
});
