import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { homeFolder } from './home-folder.ts';

it('refuses in words a user whom no list of users knows', () => {
  const unknown = () => {
    throw Object.assign(new Error('uv_os_homedir returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
  };
  const refusal = { code: 'CONFIG_INVALID', remedy: 'set HOME to a folder that this user may write to' };
  expect(() => homeFolder(unknown)).toThrowError(expect.objectContaining(refusal));
  expect(homeFolder()).toBe(homedir());
});
