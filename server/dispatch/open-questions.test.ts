import { expect, test } from 'vitest';
import { OpenQuestions } from './open-questions.ts';

test('the oldest question of a session, of a principal or of all is dropped, and no other', () => {
  const questions = new OpenQuestions({ session: 2, principal: 3, all: 5 });
  const dropped: string[] = [];
  const sessions = new Map<string, object>();
  const ask = (name: string, session: string, principal: string) => {
    if (!sessions.has(session)) sessions.set(session, {});
    const question = { session: sessions.get(session)!, principal, drop: () => void dropped.push(name) };
    questions.add(question);
    return question;
  };
  ask('a1', 'a', 'anna');
  const second = ask('a2', 'a', 'anna');
  ask('a3', 'a', 'anna');
  expect(dropped).toEqual(['a1']);
  questions.remove(second);
  ask('a4', 'a', 'anna');
  expect(dropped).toEqual(['a1']);
  ask('b1', 'b', 'anna');
  ask('b2', 'b', 'anna');
  expect(dropped, 'the third of one principal').toEqual(['a1', 'a3']);
  ask('c1', 'c', 'carl');
  ask('c2', 'c', 'carl');
  ask('d1', 'd', 'dora');
  expect(dropped, 'the fifth of all').toEqual(['a1', 'a3', 'a4']);
  expect(questions.size).toBe(5);
});
