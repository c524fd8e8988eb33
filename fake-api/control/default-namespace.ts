/** What a fake has before anybody asks for more. */
export const DEFAULT_NAMESPACE = 'default';
/** Bundle that it starts with. */
export const DEFAULT_FIXTURE = 'small-campus';
