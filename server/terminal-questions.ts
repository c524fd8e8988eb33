/**
 * The questions of the commands. Ctrl-D cancels each as Ctrl-C does: by itself it closes the line editor beneath the question, which
 * then never answers, and Node ends the command with a warning about the source and exit code 13.
 */
import { updateSettings } from '@clack/prompts';

export { confirm, isCancel, log, multiselect, note, password, select, text } from '@clack/prompts';

const CTRL_D = '\u0004';

updateSettings({ aliases: { [CTRL_D]: 'cancel' } });
