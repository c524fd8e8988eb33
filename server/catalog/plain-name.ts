/** The name of a field or parameter as it is compared: in lower case, letters and digits alone, so `per_page` is `perPage`. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
