/**
 * Completion of a command in a shell, made from its commander definition: subcommands, options, and the values of options
 * and arguments that have choices; files for every other value.
 * Server and harness share no code, so the harness has a copy; a test compares the two.
 */
import type { Argument, Command, Option } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Word {
  text: string;
  about: string;
}

/** A command or subcommand. Its place is the names that lead to it, each with a space before it; the program's is empty. */
interface Place {
  place: string;
  commands: Word[];
  options: Option[];
  choices: readonly string[];
}

const MAKERS: Record<Shell, (name: string, places: readonly Place[]) => string> = { bash, zsh, fish };

/** @param byDefault the subcommand whose options are taken without its name. */
export function completionScript(program: Command, shell: Shell, byDefault?: string): string {
  return MAKERS[shell](program.name(), placesOf(program, '', byDefault));
}

function placesOf(command: Command, place: string, byDefault?: string): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const own = [command, ...commands.filter((one) => one.name() === byDefault)];
  const options = new Map(own.flatMap((one) => help.visibleOptions(one).map((option) => [option.flags, option])));
  const here: Place = {
    place,
    commands: commands.map((one) => ({ text: one.name(), about: one.description() })),
    options: [...options.values()],
    choices: command.registeredArguments.flatMap((argument: Argument) => argument.argChoices ?? []),
  };
  return [here, ...commands.flatMap((one) => placesOf(one, `${place} ${one.name()}`))];
}

const flagsOf = ({ short, long }: Option): string[] => [short, long].filter((flag) => flag !== undefined);
const takesValue = ({ required, optional }: Option): boolean => required || optional;
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const wordsOf = ({ commands, options, choices }: Place): string[] => [
  ...commands.map(({ text }) => text),
  ...choices,
  ...options.flatMap(flagsOf),
];

/** Arms of a `case` over the place and the word before the cursor: what a value may be. */
function valueArms(places: readonly Place[], choose: (choices: readonly string[]) => string, files: string): string[] {
  return places.flatMap(({ place, options }) =>
    options.filter(takesValue).map((option) => {
      const patterns = flagsOf(option).map((flag) => quoted(`${place} ${flag}`));
      return `    ${patterns.join('|')}) ${option.argChoices ? choose(option.argChoices) : files}; return ;;`;
    }),
  );
}

const steps = (places: readonly Place[]): string =>
  places
    .filter(({ place }) => place !== '')
    .map(({ place }) => `      ${quoted(place)}) place=${quoted(place)} ;;`)
    .join('\n');

const functionOf = (name: string): string => `_${name.replaceAll(/[^A-Za-z0-9]/g, '_')}`;

function bash(name: string, places: readonly Place[]): string {
  const choose = (words: readonly string[]) => `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$current"))`;
  const arms = places.map((one) => `    ${quoted(one.place)}) ${choose(wordsOf(one))} ;;`);
  return `# bash completion of ${name}. To load it: source <(${name} --completion bash)
${functionOf(name)}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" place='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place $word" in
${steps(places) || "      '') ;;"}
    esac
  done
  COMPREPLY=()
  case "$place $previous" in
${valueArms(places, choose, 'COMPREPLY=($(compgen -f -- "$current"))').join('\n')}
  esac
  case "$place" in
${arms.join('\n')}
  esac
}
complete -o default -F ${functionOf(name)} ${name}
`;
}

/** `path` is an array of zsh, so the place is called `place`. */
function zsh(name: string, places: readonly Place[]): string {
  const described = ({ text, about }: Word) => quoted(`${text}:${firstLine(about).replaceAll(':', '\\:')}`);
  const arms = places.map((one) => {
    const words = [
      ...one.commands,
      ...one.choices.map((text) => ({ text, about: '' })),
      ...one.options.flatMap((option) => flagsOf(option).map((text) => ({ text, about: option.description }))),
    ];
    return `    ${quoted(one.place)}) found=(${words.map(described).join(' ')}) ;;`;
  });
  return `#compdef ${name}
# zsh completion of ${name}. To load it: source <(${name} --completion zsh)
${functionOf(name)}() {
  local place='' word previous="\${words[CURRENT-1]}"
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
${steps(places) || "      '') ;;"}
    esac
  done
  case "$place $previous" in
${valueArms(places, (words) => `compadd -- ${words.map(quoted).join(' ')}`, '_files').join('\n')}
  esac
  case "$place" in
${arms.join('\n')}
  esac
  _describe ${quoted(name)} found || _files
}
compdef ${functionOf(name)} ${name}
`;
}

function fish(name: string, places: readonly Place[]): string {
  const where = `_${functionOf(name)}_place`;
  const complete = (place: string, rest: string) =>
    `complete -c ${name} -n ${quoted(`test (${where}) = "${place}"`)} ${rest}`;
  const lines = places.flatMap(({ place, commands, options, choices }) => [
    ...commands.map(({ text, about }) => complete(place, `-f -a ${quoted(text)} -d ${quoted(firstLine(about))}`)),
    ...(choices.length === 0 ? [] : [complete(place, `-f -a ${quoted(choices.join(' '))}`)]),
    ...options.map((option) => {
      const { short, long, argChoices, description } = option;
      const flags = [short && `-s ${short.slice(1)}`, long && `-l ${long.slice(2)}`].filter(Boolean).join(' ');
      const value = argChoices ? ` -x -a ${quoted(argChoices.join(' '))}` : takesValue(option) ? ' -r -F' : '';
      return complete(place, `${flags}${value} -d ${quoted(firstLine(description))}`);
    }),
  ]);
  return `# fish completion of ${name}. To load it: ${name} --completion fish | source
function ${where}
  set -l place ''
  for word in (commandline -opc)[2..]
    switch "$place $word"
${places
  .filter(({ place }) => place !== '')
  .map(({ place }) => `      case ${quoted(place)}\n        set place ${quoted(place)}`)
  .join('\n')}
    end
  end
  echo "$place"
end
${lines.join('\n')}
`;
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
